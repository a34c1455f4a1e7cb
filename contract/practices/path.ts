import type { Activity } from '../activity.ts';

/** The longest readable end of an address. */
const tailMaxLength = 60;

/**
 * The path of a practice's page. The id decides; the words after it are only for people, so an old address
 * works after the title has changed.
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

/** The link of an activity without a video on another site: its own page, on whatever host. */
export const isOwnUrl = ({ id, url }: Pick<Activity, 'id' | 'url'>) =>
  practiceIdIn(URL.parse(url)?.pathname ?? '') === id;

/**
 * The link of a new activity that will have no video: its own page. A form cannot send that page's path, because the
 * server chooses the id.
 */
export const ownUrlPath = '/practices';
