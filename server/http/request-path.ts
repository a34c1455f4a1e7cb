/** The longest path of ours has some hundred characters; a search engine's or a chat's additions go into the query. */
const longestPath = 1_024;
const recordedCharacters = 200;

/** Whether a request's target is refused before a route is looked for: each step of routing reads all of it. */
export const isPathTooLong = (target: string) =>
  target.length > longestPath && pathOf(target).length > longestPath;

/** The path as logs and usage records keep it, without its query and cut, so that no request fills the disk. */
export const recordedPath = (target: string) => pathOf(target).slice(0, recordedCharacters);

/** The path without the slashes around it. */
export function trimSlashes(path: string): string {
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end);
}

/** The query with its question mark; empty where there is none. */
export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start);
}

function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}
