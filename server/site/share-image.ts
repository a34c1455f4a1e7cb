import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { paths, routes } from '#contract/paths.ts';
import { AppError } from '../http/errors.ts';
import type { ContentSource, PublishedContent } from './content.ts';
import { cacheForever } from './document.ts';
import { type Drawn, drawShareImage, sendDrawn } from './share-drawing.ts';
import { storedFileOf } from './site-files.ts';

/** Reads a picture from the file service. */
export type ReadPicture = (file: { path: string; token: string }) => Promise<Uint8Array>;

type Options = {
  /** The folder of the build, `dist`. */
  distDir: string;
  content: ContentSource;
  readPicture: ReadPicture;
};

const shareParams = z.object({ version: z.coerce.number().check(z.int(), z.nonnegative()) });

/** Serves the share image of the newest version. It is drawn at its first request and stays in memory. */
export async function shareImageRoutes(app: FastifyInstance, { distDir, content, readPicture }: Options) {
  let last: { version: number; drawn: Promise<Drawn> } | undefined;

  app.get(routes.shareImage, async (request, reply) => {
    request.recorded = false;
    const wanted = shareParams.safeParse(request.params);
    if (!wanted.success) throw new AppError('request/not-found');
    const newest = await content.read();
    if (wanted.data.version !== newest.version)
      return reply.header('cache-control', 'no-store').redirect(paths.site.shareImage(newest.version), 302);
    const drawn = await drawnOf(newest).catch((cause: unknown) => {
      throw new AppError('server/unavailable', { cause });
    });
    return sendDrawn(reply, drawn, {
      known: request.headers['if-none-match'],
      // Version 0 is the sample content, which an update of this program can change.
      caching: newest.version > 0 ? cacheForever : 'public, no-cache',
    });
  });

  /** Concurrent requests share one drawing. */
  function drawnOf(published: PublishedContent): Promise<Drawn> {
    if (last?.version === published.version) return last.drawn;
    const drawn = draw(published);
    last = { version: published.version, drawn };
    // After an error, the next request tries again.
    drawn.catch(() => {
      if (last?.drawn === drawn) last = undefined;
    });
    return drawn;
  }

  async function draw({ content: { identity, home } }: PublishedContent): Promise<Drawn> {
    const { lines, portrait } = home.hero;
    return drawShareImage(distDir, { identity, lines, picture: await readPortrait(portrait.file) });
  }

  function readPortrait(file: string): Promise<Uint8Array> {
    const stored = storedFileOf(file);
    // `file` cannot lead out of the folder, because the schema allows only plain names under /images/.
    return stored ? readPicture(stored) : readFile(path.join(distDir, 'site', file));
  }
}
