/**
 * The site's longest path has about a hundred characters. Parameters that other sites add to links are in the
 * query, which does not count.
 */
const longestPath = 1_024;
const recordedCharacters = 200;

/** True if the path is too long for routing, which reads it several times. */
export const isPathTooLong = (target: string) =>
  target.length > longestPath && pathOf(target).length > longestPath;

/**
 * The path for logs and usage records, without its query, without the token of a preview, and without the id
 * of a practice, so that the records do not show who has read it or made it a favourite. It is cut to
 * `recordedCharacters`, so that long paths cannot fill the disk.
 */
export const recordedPath = (target: string) =>
  pathOf(target)
    .replace(/^\/previa\/[^/]*/, '/previa/*')
    .replace(
      /^((?:\/previa\/\*|\/share)?\/practices|\/api\/documents\/(?:practice-pages|favourites))\/.*/s,
      '$1/*',
    )
    .slice(0, recordedCharacters);

/** The path without the slashes around it. */
export function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end);
}

/** The query with its question mark; empty if there is none. */
export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start);
}

function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}
