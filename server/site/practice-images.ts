import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { Activity } from '#contract/activity.ts';
import { storedFileIn } from '#contract/file-url.ts';
import { routes } from '#contract/paths.ts';
import { createTurns } from '../concurrency.ts';
import { AppError } from '../http/errors.ts';
import { openBuiltSite } from './built-site.ts';
import type { ContentSource } from './content.ts';
import type { PracticesLibrary } from './rendered-pages.ts';
import { type Drawn, drawShareImage, sendDrawn } from './share-drawing.ts';
import type { ReadPicture } from './share-image.ts';

type Options = {
  /** The folder of the build, `dist`. */
  distDir: string;
  content: ContentSource;
  library: PracticesLibrary;
  readPicture: ReadPicture;
};

/** The maximum number of images in memory. Each takes about 40 kB. */
const mostKept = 100;
/** Only one drawing runs at a time, because each takes half a second of processor time. */
const drawings = { atOnce: 1, mostWaiting: 9, waitMs: 30_000 };

const params = z.object({ id: z.string().check(z.regex(/^[\w-]{1,100}$/)) });
/** Matches the URL path of a picture of the sample library. These pictures are files of the build. */
const sampleImage = /^\/images\/(?:[\w-]+\/)*[\w-]+\.\w+$/;

/** Serves the images that chats and social networks show next to a link to a practice. */
export async function practiceImageRoutes(app: FastifyInstance, options: Options) {
  const { distDir, content, library, readPicture } = options;
  const { loadRenderer } = await openBuiltSite(distDir);
  /** The least recently used image comes first. */
  const kept = new Map<string, Promise<Drawn>>();
  const inTurn = createTurns(drawings);

  app.get(routes.practiceImage, async (request, reply) => {
    request.recorded = false;
    const wanted = params.safeParse(request.params);
    if (!wanted.success) throw new AppError('request/not-found');
    const { practice } = await library.readPractice(wanted.data.id);
    if (!practice) throw new AppError('request/not-found');
    const drawn = await drawnOf(practice).catch((cause: unknown) => {
      throw new AppError('server/unavailable', { cause });
    });
    return sendDrawn(reply, drawn, {
      known: request.headers['if-none-match'],
      caching: 'public, no-cache',
    });
  });

  async function drawnOf(practice: Activity): Promise<Drawn> {
    const { version, content: texts } = await content.read();
    const key = `${practice.id} ${practice.updatedAt} ${version}`;
    const known = kept.get(key);
    kept.delete(key);
    const drawn =
      known ??
      inTurn(async () => {
        const { identity } = texts;
        return drawShareImage(distDir, {
          identity,
          lines: [practice.title],
          picture: await readPictureOf(practice),
        });
      });
    kept.set(key, drawn);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    // After an error, the next request tries again.
    drawn.catch(() => kept.get(key) === drawn && kept.delete(key));
    return drawn;
  }

  /**
   * Reads the activity's picture. Returns the generated picture if the activity has no picture, or if the
   * picture's file is missing.
   */
  async function readPictureOf({ id, axis, image }: Activity): Promise<Uint8Array> {
    try {
      const stored = storedFileIn(image);
      if (stored) return await readPicture(stored);
      if (sampleImage.test(image)) return await readFile(path.join(distDir, 'site', image));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    const { drawPoster } = await loadRenderer();
    return Buffer.from(drawPoster({ id, axis }));
  }
}

const isMissing = (error: unknown) =>
  error instanceof AppError
    ? error.code === 'storage/object-not-found'
    : (error as NodeJS.ErrnoException).code === 'ENOENT';
