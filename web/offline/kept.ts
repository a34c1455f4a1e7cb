/*
 * What the caches of a device contain. The worker and the pages use this file.
 */
import { practiceIdIn } from '#contract/practices/path.ts';

/**
 * The cache of saved audio. It exists exactly while a user has chosen this device: the worker stores nothing
 * without it.
 */
export const audioCache = 'acolhe-audio';
export const pictureCache = 'acolhe-pictures';
/** The cache of pages of one build begins with this name, because a page needs the files of its build. */
export const pageCache = 'acolhe-pages';
/** The path under which the document of all pages is kept that only the browser renders. */
export const documentPath = '/aparelho';

/** What a page can ask of the worker. */
export type WorkerRequest =
  /** Fetches the document, and the practices for the night with their pictures. Answered with `Refreshed`. */
  | { type: 'refresh' }
  /** Keeps a practice that was opened without a new document. */
  | { type: 'keep'; path: string }
  /** Ends the waiting of a new worker. */
  | { type: 'take-over' };

/** Whether pages can start without network now, and whether the path for the night is kept, too. */
export type Refreshed = { ready: boolean; complete: boolean };

/**
 * The key under which a public page is kept; undefined for a page that the worker does not keep. Only the id
 * identifies a practice, and only /practices depends on parameters.
 */
export function publicPageKey({ pathname, search }: Pick<URL, 'pathname' | 'search'>): string | undefined {
  if (pathname === '/practices') return pathname + search;
  if (['/', '/about', '/privacidade'].includes(pathname)) return pathname;
  const id = practiceIdIn(pathname);
  return id === undefined ? undefined : `/practices/${id}`;
}

/** True for the pages of accounts and patients, which the browser renders without network, too. */
export const isPrivatePage = (pathname: string): boolean =>
  /^\/(?:minha-area|minhas-praticas|diario|semana|account|login|logout|aparelho)(?:\/|$)/.test(pathname);

/** True for pictures of the library and of the site. Pictures of users are never kept. */
export const isPublicPicture = (pathname: string): boolean =>
  /^\/(?:images|files\/postImages|files\/site\/(?:portrait|profile))\//.test(pathname);

/** True for audio of the library and of the site. */
export const isPublicAudio = (pathname: string): boolean =>
  /^\/(?:audio|files\/postAudios|files\/site\/audio)\//.test(pathname);

/**
 * True for a document of this site that is complete and needs only the given files. A page of a gateway, a
 * page of another build, and half a page are none.
 */
export function isOwnDocument(html: string, files: ReadonlySet<string>): boolean {
  const needed = [...html.matchAll(/["' (](\/static\/[\w./-]+)/g)].map(([, file = '']) => file);
  return (
    html.includes('<script type="application/json" id="content">') &&
    html.trimEnd().endsWith('</html>') &&
    needed.length > 0 &&
    needed.every((file) => files.has(file))
  );
}

/** The paths of the practices for the night that the HTML of /practices links to. */
export function nightPathsIn(html: string): string[] {
  const start = html.indexOf(' id="noite"');
  const section = start === -1 ? '' : html.slice(start, html.indexOf('</section>', start));
  return [...new Set([...section.matchAll(/ href="(\/practices\/[^"]+)"/g)].map(([, path = '']) => path))];
}

/** The pictures of a page, each in one size: without network, it stands for all sizes. */
export function picturesIn(html: string): string[] {
  const tags = html.match(/<img [^<>]*>/g) ?? [];
  const urls = tags.map((tag) => {
    const [, src = ''] = / src="([^"]+)"/.exec(tag) ?? [];
    return src.replaceAll('&amp;', '&') + (/ srcset="/i.test(tag) ? '&width=960' : '');
  });
  return [...new Set(urls)].filter((url) => isPublicPicture(url.replace(/\?.*/, '')));
}

/** True if a response of this site has a body of this type. Redirects and errors are none. */
export const isClean = (response: Response, type: RegExp): boolean =>
  response.status === 200 &&
  response.type !== 'opaque' &&
  !response.redirected &&
  type.test(response.headers.get('content-type') ?? '') &&
  !/no-store/.test(response.headers.get('cache-control') ?? '');
