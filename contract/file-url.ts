import * as z from 'zod/mini';
import { limits } from './limits.ts';
import { parseUrl } from './parse-url.ts';
import { plainLine } from './text.ts';

/** Stands for the origin of this site, which this code does not know. */
const anySite = 'https://site.invalid';

/**
 * Accepts the URL of a picture or a sound that a page loads automatically: a stored file (`/files/…`), a file
 * in `folder` of this site, or an https URL. Refuses the paths of the API on every origin, because a page
 * that loads such a URL as a picture would call the API with its user's session.
 */
export const fileUrl = (folder: '/images/' | '/audio/') =>
  z.string().check(
    z.maxLength(limits.urlMaxLength, 'Este endereço é longo demais.'),
    plainLine,
    z.refine<string>((url) => isFileUrl(url, folder), 'Use um endereço que comece com https://.'),
  );

function isFileUrl(text: string, folder: string): boolean {
  if (/[\s\\]/.test(text)) return false;
  // Parses the path as a browser does: `/files/../api` becomes `/api`.
  const { origin, pathname } = parseUrl(text, anySite) ?? {};
  if (origin === undefined || pathname === undefined || pathname.startsWith('/api/')) return false;
  if (text.startsWith('https://')) return true;
  const isOwn = text.startsWith('/') && origin === anySite;
  return isOwn && (pathname.startsWith('/files/') || pathname.startsWith(folder));
}

/** Returns the file of the file service that a URL of this site names; undefined for every other URL. */
export function storedFileIn(url: string): { path: string; token: string } | undefined {
  const [, path, token] = /^\/files\/([\w/-]{1,300})\?token=([\w-]+)$/.exec(url) ?? [];
  return path === undefined || token === undefined ? undefined : { path, token };
}
