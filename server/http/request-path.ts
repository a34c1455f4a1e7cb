/**
 * The longest allowed path. The site's longest path has only about a hundred characters. The limit does not
 * apply to the query, because other sites add parameters to links.
 */
const longestPath = 1_024;
const recordedCharacters = 200;

/** True if the path is too long. Routing reads a path several times, so a long path is expensive. */
export const isPathTooLong = (target: string) =>
  target.length > longestPath && pathOf(target).length > longestPath;

/**
 * Returns the path for logs and usage records. It contains no query, no token of a preview and no id of a
 * practice, so that the records do not show who has read a practice or made it a favourite. It has at most
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

/** Returns the path without the slashes around it. */
export function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end);
}

/** Returns the query with its question mark; empty if there is none. */
export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start);
}

function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}
