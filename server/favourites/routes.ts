import type { FastifyInstance } from 'fastify';
import { paths, routes } from '#contract/paths.ts';
import { favouriteInput, favouritePath } from '#contract/practices/favourites.ts';
import { requireSession } from '../auth/guards.ts';
import type { AppContext } from '../context.ts';
import { parse } from '../http/parse.ts';
import { sendPrivate } from '../http/send-document.ts';
import { keepFavourite, listFavourites, removeFavourite } from './favourites.ts';

/** Registers the routes of favourites. Each route is about the caller's own favourites only. */
export async function favouriteRoutes(
  app: FastifyInstance,
  { context: { database, databaseKind } }: { context: AppContext },
) {
  app.get(paths.documents.favourites, async (request, reply) =>
    sendPrivate(reply, await listFavourites(database, requireSession(request).uid)),
  );

  app.put(routes.favourite, async (request, reply) => {
    const { id } = parse(favouritePath, request.params);
    const { keptAt } = parse(favouriteInput, request.body);
    await keepFavourite(database, databaseKind, { uid: requireSession(request).uid, id, keptAt });
    return reply.code(204).send();
  });

  app.delete(routes.favourite, async (request, reply) => {
    const { id } = parse(favouritePath, request.params);
    await removeFavourite(database, requireSession(request).uid, id);
    return reply.code(204).send();
  });
}
