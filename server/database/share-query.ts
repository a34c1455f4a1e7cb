import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Returns a function in which concurrent calls share one query. It runs after every waiting call has arrived,
 * so none gets a stale result.
 */
export function shareQuery<Result>(query: () => Promise<Result>): () => Promise<Result> {
  let asked: Promise<Result> | undefined;
  return () => {
    asked ??= nextTurn().then(() => {
      asked = undefined;
      return query();
    });
    return asked;
  };
}
