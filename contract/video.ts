import { parseUrl } from './parse-url.ts';

/** A video on YouTube, and the second at which it starts. */
export type Video = { id: string; startSeconds: number };

const youtubeHost =
  /^(?:[a-z0-9-]+\.)*(?:youtube\.com(?:\.br)?|youtube-nocookie\.com|youtubekids\.com|youtu\.be)$/i;
const idPaths = new Set(['embed', 'shorts', 'live', 'watch', 'v', 'vi', 'e']);
/** Matches an id of 11 characters. Other characters may follow, as in `<id>?si=x`, `<id>&t=30` or `<id>.` */
const idAtStart = /^[A-Za-z0-9_-]{11}(?![A-Za-z0-9_-])/;

/**
 * Finds the YouTube video of a link: in a youtu.be link, or, on any YouTube host, in the parameter `v` or in
 * a path such as embed/, shorts/ or live/. Also understands what `videoLinkIn` finds in a text.
 */
export function videoOf(link: string): Video | undefined {
  const found = videoLinkIn(link);
  const url = parseUrl(found);
  if (url === undefined || !/^https?:$/.test(url.protocol) || !youtubeHost.test(url.hostname))
    return undefined;
  const [first = '', second = ''] = url.pathname.split('/').filter(Boolean);
  const { searchParams } = url;
  const inPath = idPaths.has(first.toLowerCase()) ? second : first;
  const isShort = /(?:^|\.)youtu\.be$/i.test(url.hostname);
  const candidates = [
    searchParams.get('v') ?? searchParams.get('vi') ?? '',
    isShort || inPath === second ? inPath : '',
  ];
  const id = candidates.flatMap((text) => idAtStart.exec(text) ?? [])[0];
  return id === undefined ? undefined : { id, startSeconds: startOf(found) };
}

/** Like `videoOf`, for callers that need only the id. */
export const videoIdOf = (link: string): string | undefined => videoOf(link)?.id;

/**
 * Returns the link in a text that a user pasted. If the text is not a link by itself, this is the link of the
 * first YouTube video in it: in the code for embedding (`<iframe …>`), without `https://`, or in a sentence.
 */
export function videoLinkIn(text: string): string {
  const trimmed = text.trim();
  if (/^https?:\/\/[^\s\\<>"]+$/i.test(trimmed)) return trimmed;
  const link =
    /(?:^|[\s"'(<>=])(?:https?:)?(?:\/\/)?((?:[a-z0-9-]+\.)*youtu(?:\.be|be[a-z-]*\.com)\/[^\s\\<>"')]+)/i.exec(
      trimmed,
    )?.[1];
  const completed = `https://${link?.replaceAll('&amp;', '&')}`;
  return link !== undefined && videoOf(completed) ? completed : trimmed;
}

/** Returns the start time in seconds: `t=90`, `t=1m30s`, `start=90`, also after `#`. */
function startOf(link: string): number {
  const [, hours = '', minutes = '', seconds = ''] =
    /[?&#;](?:t|start|time_continue)=(?:(\d{1,2})h)?(?:(\d{1,4})m)?(?:(\d{1,5})s?)?(?![\dhm])/i.exec(link) ??
    [];
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}

/** True if a link leads to YouTube, with or without a video. */
export const isYoutubeLink = (link: string): boolean =>
  youtubeHost.test(parseUrl(videoLinkIn(link))?.hostname ?? '');

/** The URL of YouTube's privacy-enhanced player. The video plays at once, as the user has pressed play. */
export const videoEmbedUrl = ({ id, startSeconds }: Video) =>
  `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0${startSeconds ? `&start=${startSeconds}` : ''}`;

export const videoWatchUrl = ({ id, startSeconds }: Video) =>
  `https://www.youtube.com/watch?v=${id}${startSeconds ? `&t=${startSeconds}` : ''}`;
