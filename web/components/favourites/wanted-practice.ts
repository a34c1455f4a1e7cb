import { client } from '#web/app/client.ts';
import { wantedPractice } from '#web/app/kept-tokens.ts';
import { pathAfterSignIn } from '#web/app/routes/guards.ts';
import type { SettledSession } from '#web/app/session.ts';
import { areaWith, wantedIn } from './wanted-path.ts';

/**
 * Notes the practice of the page's URL when a sign-up, or a sign-in with Google, begins. Its end can open
 * another page, which has no such URL. The latest beginning counts, so that no user keeps what the previous
 * user of the device wanted.
 */
export function noteWantedPractice(search: URLSearchParams) {
  const id = wantedIn(search);
  if (id === undefined) wantedPractice.forget();
  else wantedPractice.keep(id);
}

/**
 * Adds the practice that the visitor wanted before the sign-in to the favourites.
 * @returns the path that opens after the sign-in
 */
export async function pathAfterKeeping(settled: SettledSession, search: URLSearchParams): Promise<string> {
  const path = pathAfterSignIn(settled, search);
  const id = wantedIn(search);
  wantedPractice.forget();
  if (id === undefined) return path;
  // After a failure, the next page offers to keep the practice.
  await client.documents.keepFavourite(id).catch(() => {});
  return areaWith(id);
}
