import { paths } from '#contract/paths.ts';
import type { Favourites } from '#contract/practices/favourites.ts';
import type { Send } from './http.ts';
import { readResponse } from './read-response.ts';

/** The practices that the signed-in user keeps. */
export const createFavourites = (send: Send) => ({
  async getFavourites(signal?: AbortSignal): Promise<Favourites> {
    const { body, schemas } = await readResponse(send(paths.documents.favourites, { signal }));
    return schemas.favourites.parse(body);
  },

  /**
   * Keeps a public practice.
   * @param keptAt to undo a removal: when the user first kept the practice, in epoch milliseconds; default: now
   * @throws ClientError `documents/not-found` when the practice is not public; `documents/too-many-favourites`
   */
  async keepFavourite(id: string, keptAt?: number): Promise<void> {
    await send(paths.documents.favourite(id), { method: 'PUT', body: { keptAt } });
  },

  async removeFavourite(id: string): Promise<void> {
    await send(paths.documents.favourite(id), { method: 'DELETE' });
  },
});
