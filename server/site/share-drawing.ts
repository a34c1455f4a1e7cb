import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyReply } from 'fastify';
import type { Identity } from '#contract/site/identity.ts';
import { professionOf, registrationsOf } from '#contract/site/registrations.ts';
import { type ShareDesign, shareImage } from '#contract/site/share-image.ts';
import { runJob } from '../limited-process.ts';
import { programFolder } from '../program.ts';

/** The message to the process that runs share-image-process.ts. This process returns a PNG. */
export type ShareJob = {
  design: ShareDesign;
  texts: { lines: string[]; name: string; registrations: string[] };
  /** A picture in any format that browsers show. */
  portrait: Uint8Array;
};

/** A drawn image with its entity tag. */
export type Drawn = { png: Uint8Array; tag: string };

const program = path.join(programFolder, 'server/site/share-image-process.ts');
/** The memory limit of the process in KiB, see `runJob`. */
const memoryKilobytes = 1_000 * 1_024;

/**
 * Draws an image with large words, the doctor's name and registrations, and a picture.
 * @param distDir the folder of the build, `dist`
 */
export async function drawShareImage(
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
export function sendDrawn(
  reply: FastifyReply,
  { png, tag }: Drawn,
  { known, caching }: { known: string | undefined; caching: string },
) {
  reply.header('cache-control', caching).header('etag', tag);
  if (known === tag) return reply.code(304).send();
  // Other sites show the image, for example in the preview of a link.
  return reply.header('cross-origin-resource-policy', 'cross-origin').type(shareImage.type).send(png);
}
