import { parseUrl } from './parse-url.ts';

const youtubeHost = /^(?:[a-z0-9-]+\.)*(?:youtube\.com|youtube-nocookie\.com)$/i;
const idPattern = /^[A-Za-z0-9_-]{11}$/;
const idPaths = new Set(['embed', 'shorts', 'live', 'v']);

/**
 * Finds the 11-character id of a YouTube video: in a youtu.be link, or, on any YouTube host, in the parameter
 * `v` or in a path that begins with embed/, shorts/, live/ or v/. Returns `undefined` when there is no id.
 */
export function videoIdOf(link: string): string | undefined {
  const url = parseUrl(link.trim());
  if (url === undefined) return undefined;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  const [first, second] = url.pathname.split('/').filter(Boolean);
  let id: string | null | undefined;
  if (url.hostname.toLowerCase() === 'youtu.be') id = first;
  else if (youtubeHost.test(url.hostname)) {
    id = url.searchParams.get('v') ?? (first && idPaths.has(first.toLowerCase()) ? second : undefined);
  }
  return id && idPattern.test(id) ? id : undefined;
}

/** True if a link leads to YouTube, with or without a video. */
export function isYoutubeLink(link: string): boolean {
  const host = parseUrl(link.trim())?.hostname ?? '';
  return host === 'youtu.be' || youtubeHost.test(host);
}

/** The URL of YouTube's privacy-enhanced player. The video starts at once, as the user has pressed play. */
export const videoEmbedUrl = (id: string) => `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0`;

export const videoWatchUrl = (id: string) => `https://www.youtube.com/watch?v=${id}`;
