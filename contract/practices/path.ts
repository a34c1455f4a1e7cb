import type { Activity } from '../activity.ts';
import { parseUrl } from '../parse-url.ts';

/** The maximum number of characters of the title at the end of a path. */
const tailMaxLength = 60;

/**
 * The path of a practice's page. Only the id identifies the practice, so an old URL still works after the
 * title has changed. The words after the id are for readers.
 */
export function practicePath({ id, title }: Pick<Activity, 'id' | 'title'>): string {
  const words = title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  let tail = '';
  for (const word of words) {
    const longer = tail === '' ? word : `${tail}-${word}`;
    if (longer.length > tailMaxLength) break;
    tail = longer;
  }
  return tail === '' ? `/practices/${id}` : `/practices/${id}/${tail}`;
}

/** Finds the id in the path of a practice's page. */
export function practiceIdIn(path: string): string | undefined {
  return /^\/practices\/([\w-]{1,100})(?:\/[^/]*)?$/.exec(path)?.[1];
}

/** True if an activity links to its own page, on any host. Such an activity has no video on another site. */
export const isOwnUrl = ({ id, url }: Pick<Activity, 'id' | 'url'>) =>
  practiceIdIn(parseUrl(url)?.pathname ?? '') === id;

/**
 * The path that a form sends as the link of a new activity without a video. The server replaces it with the
 * path of the activity's own page, because only the server knows the id.
 */
export const ownUrlPath = '/practices';
