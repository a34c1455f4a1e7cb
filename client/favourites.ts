import { paths } from '#contract/paths.ts';
import type { Favourites } from '#contract/practices/favourites.ts';
import type { Send } from './http.ts';
import { readResponse } from './read-response.ts';

/** Creates the methods of `documents` that read and change the signed-in user's favourites. */
export const createFavourites = (send: Send) => ({
  async getFavourites(signal?: AbortSignal): Promise<Favourites> {
    const { body, schemas } = await readResponse(send(paths.documents.favourites, { signal }));
    return schemas.favourites.parse(body);
  },

  /**
   * Adds a practice to the favourites.
   * @param keptAt when the user added the practice, in epoch milliseconds; by default now. To undo a removal,
   * pass the time at which the user first added the practice.
   * @throws ClientError `documents/not-found` when the practice is not public;
   * `documents/too-many-favourites`
   */
  async keepFavourite(id: string, keptAt?: number): Promise<void> {
    await send(paths.documents.favourite(id), { method: 'PUT', body: { keptAt } });
  },

  async removeFavourite(id: string): Promise<void> {
    await send(paths.documents.favourite(id), { method: 'DELETE' });
  },
});
