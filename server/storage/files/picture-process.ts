// This process decodes one picture and exits. A hostile picture can exhaust the memory or time of this
// process, but not the server's.
import type { FailOnOptions, Sharp } from 'sharp';
import { imageWidths } from '#contract/image-widths.ts';
import { doJob } from '#server/limited-process.ts';
import type { PictureJob, PictureResult, Version } from './pictures.ts';

const jpegQuality = 88;
const webpQuality = 78;
const avifQuality = 55;
/** From 0 to 9. Encoding with 2 is twice as fast as with the default 4, and makes files 5% larger. */
const avifEffort = 2;

doJob(prepare);

async function prepare({ content, type, maxPixels }: PictureJob): Promise<PictureResult> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  const open: Open = (failOn) => sharp(content, { limitInputPixels: maxPixels, failOn, pages: 1 });
  try {
    // Reads only the header and decodes no pixels.
    const { width, height } = await sharp(content, { limitInputPixels: false }).metadata();
    if (width * height > maxPixels) return { refused: 'pixels' };
    return await encode(() => open('error'), type).catch(async (error: unknown) => {
      if (type !== 'image/jpeg' || !(await hasLastRow(open, { width, height }))) throw error;
      return encode(() => open('none'), type);
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { refused: /pixel limit|too large/i.test(reason) ? 'pixels' : 'content', reason };
  }
}

type Open = (failOn: FailOnOptions) => Sharp;

async function encode(open: () => Sharp, type: string): Promise<PictureResult> {
  const format = type.replace('image/', '') as 'jpeg' | 'png' | 'webp' | 'avif';
  const { data, info } = await open()
    .autoOrient()
    .toFormat(format, format === 'jpeg' ? { quality: jpegQuality } : {})
    .toBuffer({ resolveWithObject: true });
  const versions: [Version, Uint8Array][] = [['full', data]];
  for (const width of imageWidths) {
    const resized = open().autoOrient().resize({ width, withoutEnlargement: true });
    versions.push([`${width}.webp`, await resized.clone().webp({ quality: webpQuality }).toBuffer()]);
    const avif = { quality: avifQuality, effort: avifEffort };
    versions.push([`${width}.avif`, await resized.clone().avif(avif).toBuffer()]);
  }
  return { width: info.width, height: info.height, versions };
}

/**
 * True if a JPEG that lacks bytes at its end has at least a part of its last row. The decoder fills what is
 * missing with the grey 128.
 */
async function hasLastRow(open: Open, { width, height }: { width: number; height: number }) {
  const row = { left: 0, top: height - 1, width, height: 1 };
  const pixels = await open('none').extract(row).raw().toBuffer();
  return pixels.some((value) => Math.abs(value - 128) > 1);
}
