// This process draws one share image and exits. So the server's own process needs no memory for a drawing,
// and runs no native libraries on text and pictures from outside.
import type { Sharp } from 'sharp';
import type { ShareDesign } from '#contract/site/share-image.ts';
import { doJob } from '../limited-process.ts';
import type { ShareJob } from './share-images.ts';

/** The area for the text, in pixels. */
const area = { left: 72, top: 56, width: 600, height: 518 };
const gap = 40;
const colors = { ink: '#1f2a26', accent: '#a94a28', quiet: '#55635c' };
/** At this resolution, a point is a pixel. */
const dpi = 72;
/** Font sizes in pixels. The largest one that fits is used. */
const titleSizes = [72, 66, 60, 54, 48, 43, 38, 34];
const detailSizes = [26, 24, 22];
const maxDetailsHeight = 200;
const titleMaxLength = 400;
const detailMaxLength = 300;
/** A palette of 256 colours halves the file size. Even in a photo, the difference is not visible. */
const pngOptions = { palette: true, effort: 10 } as const;

type SharpModule = typeof import('sharp').default;
/** A drawn text. `picture` is undefined if the fonts have none of the text's characters. */
type Block = { picture: Buffer | undefined; height: number };

doJob(draw);

async function draw({ design, texts, portrait }: ShareJob): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  const details = await fit(sharp, {
    sizes: detailSizes,
    maxHeight: maxDetailsHeight,
    maxLength: detailMaxLength,
    paragraphs: detailsOf(texts, design.families),
  });
  const title = await fit(sharp, {
    sizes: titleSizes,
    maxHeight: area.height - gap - details.height,
    maxLength: titleMaxLength,
    paragraphs: titleOf(texts, design.families),
  });

  const height = title.height + gap + details.height;
  const top = area.top + Math.round((area.height - height) / 2);
  const { left } = area;
  const { mask, ...place } = design.portrait;
  return sharp(Buffer.from(design.background))
    .composite([
      { input: await cropped(sharp(portrait), place, mask), left: place.left, top: place.top },
      ...layer(title, left, top),
      ...layer(details, left, top + title.height + gap),
    ])
    .removeAlpha()
    .png(pngOptions)
    .toBuffer();
}

const layer = ({ picture }: Block, left: number, top: number) =>
  picture ? [{ input: picture, left, top }] : [];

async function cropped(picture: Sharp, { width, height }: { width: number; height: number }, mask: string) {
  return picture
    .resize({ width, height, fit: 'cover' })
    .ensureAlpha()
    .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
    .png()
    .toBuffer();
}

type Fit = { paragraphs: Paragraph[]; sizes: readonly number[]; maxHeight: number; maxLength: number };

/**
 * Draws paragraphs in the largest font size that fits. If none fits, it uses the smallest size and shortens
 * the paragraphs.
 * @param maxLength the maximum number of characters of each paragraph
 */
async function fit(sharp: SharpModule, { paragraphs, sizes, maxHeight, maxLength }: Fit): Promise<Block> {
  const fits = ({ height }: Block) => height <= maxHeight;
  for (const size of sizes) {
    const block = await drawText(sharp, paragraphs, size, maxLength);
    if (fits(block)) return block;
  }
  const smallest = sizes.at(-1) ?? 0;
  let [block, shortest, longest] = [await drawText(sharp, paragraphs, smallest, 0), 0, maxLength];
  while (longest - shortest > 1) {
    const length = Math.floor((shortest + longest) / 2);
    const candidate = await drawText(sharp, paragraphs, smallest, length);
    if (fits(candidate)) [block, shortest] = [candidate, length];
    else longest = length;
  }
  return block;
}

async function drawText(
  sharp: SharpModule,
  paragraphs: Paragraph[],
  size: number,
  length: number,
): Promise<Block> {
  const markup = paragraphs
    .map(({ text, ...style }) => ({ text: shortened(drawable(text), length), ...style }))
    .filter(({ text }) => text !== '')
    .map((paragraph) => markupOf(paragraph, size))
    .join('\n');
  // sharp cannot draw empty text.
  if (markup === '') return { picture: undefined, height: 0 };
  const text = { text: markup, rgba: true, dpi, width: area.width, wrap: 'word-char' } as const;
  const { data, info } = await sharp({ text }).png().toBuffer({ resolveWithObject: true });
  return { picture: data, height: info.height };
}

type Families = ShareDesign['families'];
/** `tracking` and `space` (the space above the paragraph) are fractions of the font size. */
type Paragraph = {
  text: string;
  family: string;
  weight: number;
  color: string;
  lineHeight: number;
  tracking?: number;
  space?: number;
};

function titleOf({ lines: [first = '', second = ''] }: ShareJob['texts'], { title }: Families): Paragraph[] {
  const style = { family: title, weight: 430, lineHeight: 0.83, tracking: -0.032 };
  return [
    { text: first, ...style, color: colors.ink },
    { text: second, ...style, color: colors.accent, space: 0.1 },
  ];
}

function detailsOf({ name, registrations }: ShareJob['texts'], { text: family }: Families): Paragraph[] {
  const style = { family, lineHeight: 1.2 };
  return [
    { text: name, ...style, weight: 600, color: colors.ink },
    ...registrations.map((text) => ({ text, ...style, weight: 500, color: colors.quiet })),
  ];
}

/** Returns the paragraph in Pango's markup, https://docs.gtk.org/Pango/pango_markup.html */
function markupOf(
  { text, family, weight, color, lineHeight, tracking = 0, space = 0 }: Paragraph,
  size: number,
): string {
  const font = `font_family="${family}" font_weight="${weight}"`;
  const line = `line_height="${lineHeight}" letter_spacing="${Math.round(tracking * size * 1024)}"`;
  // An empty line of this height makes the space above.
  const above = space > 0 ? `<span ${font} font_size="${Math.round(space * size)}pt"> </span>\n` : '';
  return `${above}<span ${font} font_size="${size}pt" ${line} foreground="${color}">${escapeMarkup(text)}</span>`;
}

const escapeMarkup = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Matches every character that no font of the build has. */
const unknownSigns = /[^ -~\u00a0-\u00ac\u00ae-\u0148\u014a-\u017e\u0218-\u021b–—‘’‚“”„•…‹›€™−]/gu;

/** Replaces each character that the fonts lack with its plain form ("ạ" with "a"), or removes it. */
const drawable = (text: string) =>
  text
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[\u2010-\u2012]/g, '-')
    .replace(unknownSigns, (sign) => sign.normalize('NFKD').replace(unknownSigns, ''))
    .trim();

const shortened = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length).trimEnd()}…`;
