import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import { paths, routes } from '#contract/paths.ts';
import { professionOf, registrationsOf } from '#contract/site/registrations.ts';
import { type ShareDesign, shareImage } from '#contract/site/share-image.ts';
import { AppError } from '../http/errors.ts';
import { runJob } from '../limited-process.ts';
import type { ContentSource, PublishedContent } from './content.ts';
import { cacheForever } from './document.ts';
import { storedFileOf } from './site-files.ts';

/** The message to the process of share-image-process.ts. It returns a PNG. */
export type ShareJob = {
  design: ShareDesign;
  texts: { lines: string[]; name: string; registrations: string[] };
  /** A picture in any format that browsers show. */
  portrait: Uint8Array;
};

/** Reads a picture of the file service. */
export type ReadPicture = (file: { path: string; token: string }) => Promise<Uint8Array>;

type Options = {
  /** The folder of the build, `dist`. */
  distDir: string;
  content: ContentSource;
  readPicture: ReadPicture;
};

type Drawn = { png: Uint8Array; tag: string };

const program = path.join(import.meta.dirname, 'share-image-process.ts');
/** In KiB, see `runJob`. */
const memoryKilobytes = 1_000 * 1_024;
const shareParams = z.object({ version: z.coerce.number().check(z.int(), z.nonnegative()) });

/** Serves the share image: the newest version is drawn at its first request, and then stays in memory. */
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
    return send(reply, drawn, newest.version, request.headers['if-none-match']);
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
    const folder = path.join(distDir, 'share-image');
    const design = JSON.parse(await readFile(path.join(folder, 'design.json'), 'utf8')) as ShareDesign;
    const texts = {
      lines: home.hero.lines,
      name: identity.doctorName,
      registrations: [professionOf(identity), registrationsOf(identity).join(' · ')],
    };
    const job: ShareJob = { design, texts, portrait: await readPortrait(home.hero.portrait.file) };
    const png = await runJob<ShareJob, Uint8Array>(program, job, {
      memoryKilobytes,
      variables: {
        FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
        // On macOS, Pango's default backend does not read fontconfig's file.
        PANGOCAIRO_BACKEND: 'fontconfig',
      },
    });
    return { png, tag: `"${createHash('sha256').update(png).digest('base64url').slice(0, 22)}"` };
  }

  function readPortrait(file: string): Promise<Uint8Array> {
    const stored = storedFileOf(file);
    // The schema allows only plain names of pictures.
    return stored ? readPicture(stored) : readFile(path.join(distDir, 'site', file));
  }
}

function send(reply: FastifyReply, { png, tag }: Drawn, version: number, known: string | undefined) {
  // Version 0 is the sample content, which an update of this program can change.
  reply.header('cache-control', version > 0 ? cacheForever : 'public, no-cache').header('etag', tag);
  if (known === tag) return reply.code(304).send();
  // Other sites show it, for example in the preview of a link.
  return reply.header('cross-origin-resource-policy', 'cross-origin').type(shareImage.type).send(png);
}
