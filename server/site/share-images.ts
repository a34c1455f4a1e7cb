import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import type { Activity } from '#contract/activity.ts';
import { storedFileIn } from '#contract/file-url.ts';
import { paths, routes } from '#contract/paths.ts';
import type { Identity } from '#contract/site/identity.ts';
import { professionOf, registrationsOf } from '#contract/site/registrations.ts';
import { type ShareDesign, shareImage } from '#contract/site/share-image.ts';
import { createTurns, oncePerVersion } from '../concurrency.ts';
import { AppError } from '../http/errors.ts';
import { networkOf } from '../http/networks.ts';
import { runJob } from '../limited-process.ts';
import { programFolder } from '../program.ts';
import { openBuiltSite } from './built-site.ts';
import type { ContentSource, PublishedContent } from './content.ts';
import { cacheForever } from './document.ts';
import type { PracticesLibrary } from './rendered-pages.ts';
import { storedFileOf } from './site-files.ts';

/** Reads a picture from the file service. */
export type ReadPicture = (file: { path: string; token: string }) => Promise<Uint8Array>;

type Options = {
  /** The folder of the build, `dist`. */
  distDir: string;
  content: ContentSource;
  library: PracticesLibrary;
  readPicture: ReadPicture;
};

/**
 * The maximum number of images of practices in memory, more than most libraries have. Each takes about 40 kB.
 */
const mostKept = 1_000;
/** Only one practice is drawn at a time, because a drawing takes half a second of processor time. */
const drawings = { atOnce: 1, mostWaiting: 30, waitMs: 30_000 };
/** The most images of one network that are drawn or wait, so that it does not keep others waiting. */
const mostOfNetwork = 3;

const siteParams = z.object({ version: z.coerce.number().check(z.int(), z.nonnegative()) });
const practiceParams = z.object({ id: z.string().check(z.regex(/^[\w-]{1,100}$/)) });
/** Matches the URL path of a picture of the sample library. These pictures are files of the build. */
const sampleImage = /^\/images\/(?:[\w-]+\/)*[\w-]+\.\w+$/;

/**
 * Serves the images that chats and social networks show next to a link to the site or to a practice. An image
 * is drawn at its first request and stays in memory; of the site, only that of the newest version.
 */
export async function shareImageRoutes(app: FastifyInstance, options: Options) {
  const { distDir, content, library, readPicture } = options;
  const { loadRenderer } = await openBuiltSite(distDir);
  const ofSite = oncePerVersion<Drawn>();
  /** The least recently used image comes first. */
  const kept = new Map<string, Promise<Drawn>>();
  const inTurn = createTurns(drawings);
  /** The number of images that are drawn or wait, by the network that requested them first. */
  const perNetwork = new Map<string, number>();

  app.get(routes.shareImage, async (request, reply) => {
    request.recorded = false;
    const wanted = siteParams.safeParse(request.params);
    if (!wanted.success) throw new AppError('request/not-found');
    const newest = await content.read();
    if (wanted.data.version !== newest.version)
      return reply.header('cache-control', 'no-store').redirect(paths.site.shareImage(newest.version), 302);
    const drawn = await orUnavailable(ofSite(newest.version, () => drawSite(newest)));
    return sendDrawn(reply, drawn, {
      known: request.headers['if-none-match'],
      // Version 0 is the sample content, which an update of this program can change.
      caching: newest.version > 0 ? cacheForever : 'public, no-cache',
    });
  });

  app.get(routes.practiceImage, async (request, reply) => {
    request.recorded = false;
    const wanted = practiceParams.safeParse(request.params);
    if (!wanted.success) throw new AppError('request/not-found');
    const { practice } = await library.readPractice(wanted.data.id);
    if (!practice) throw new AppError('request/not-found');
    return sendDrawn(reply, await orUnavailable(drawnOf(practice, networkOf(request.ip))), {
      known: request.headers['if-none-match'],
      caching: 'public, no-cache',
    });
  });

  async function drawSite({ content: { identity, home } }: PublishedContent): Promise<Drawn> {
    const { lines, portrait } = home.hero;
    const stored = storedFileOf(portrait.file);
    // The path cannot lead out of the folder, because the schema allows only plain names under /images/.
    const file = path.join(distDir, 'site', portrait.file);
    const picture = stored ? await readPicture(stored) : await readFile(file);
    return drawShareImage(distDir, { identity, lines, picture });
  }

  /** @throws AppError `server/unavailable` if the network has requested too many images at once */
  async function drawnOf(practice: Activity, network: string): Promise<Drawn> {
    const { version, content: texts } = await content.read();
    const key = `${practice.id} ${practice.updatedAt} ${version}`;
    const known = kept.get(key);
    kept.delete(key);
    const drawn =
      known ??
      inTurnOf(network, async () => {
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

  async function inTurnOf(network: string, draw: () => Promise<Drawn>): Promise<Drawn> {
    const own = perNetwork.get(network) ?? 0;
    if (own >= mostOfNetwork) throw new AppError('server/unavailable');
    perNetwork.set(network, own + 1);
    try {
      return await inTurn(draw);
    } finally {
      const left = (perNetwork.get(network) ?? 1) - 1;
      if (left === 0) perNetwork.delete(network);
      else perNetwork.set(network, left);
    }
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

const orUnavailable = (drawing: Promise<Drawn>) =>
  drawing.catch((cause: unknown) => {
    throw new AppError('server/unavailable', { cause });
  });

const isMissing = (error: unknown) =>
  error instanceof AppError
    ? error.code === 'storage/object-not-found'
    : (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The message to the process that runs share-image-process.ts. This process returns a PNG. */
export type ShareJob = {
  design: ShareDesign;
  texts: { lines: string[]; name: string; registrations: string[] };
  /** A picture in any format that browsers show. */
  portrait: Uint8Array;
};

/** A drawn image with its entity tag. */
type Drawn = { png: Uint8Array; tag: string };

const program = path.join(programFolder, 'server/site/share-image-process.ts');
/** The memory limit of the process in KiB, see `runJob`. */
const memoryKilobytes = 1_000 * 1_024;

/**
 * Draws an image with large words, the doctor's name and registrations, and a picture.
 * @param distDir the folder of the build, `dist`
 */
async function drawShareImage(
  distDir: string,
  { identity, lines, picture }: { identity: Identity; lines: string[]; picture: Uint8Array },
): Promise<Drawn> {
  const folder = path.join(distDir, 'share-image');
  const design = JSON.parse(await readFile(path.join(folder, 'design.json'), 'utf8')) as ShareDesign;
  const texts = {
    lines,
    name: identity.doctorName,
    registrations: [professionOf(identity), registrationsOf(identity).join(' · ')],
  };
  const png = await runJob<ShareJob, Uint8Array>(
    program,
    { design, texts, portrait: picture },
    {
      memoryKilobytes,
      variables: {
        FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
        // On macOS, Pango's default backend does not read fontconfig's file.
        PANGOCAIRO_BACKEND: 'fontconfig',
      },
    },
  );
  return { png, tag: `"${createHash('sha256').update(png).digest('base64url').slice(0, 22)}"` };
}

/** Sends the image, or 304 when the client already has it. */
function sendDrawn(
  reply: FastifyReply,
  { png, tag }: Drawn,
  { known, caching }: { known: string | undefined; caching: string },
) {
  reply.header('cache-control', caching).header('etag', tag);
  if (known === tag) return reply.code(304).send();
  // Other sites show the image, for example in the preview of a link.
  return reply.header('cross-origin-resource-policy', 'cross-origin').type(shareImage.type).send(png);
}
