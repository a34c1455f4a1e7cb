/**
 * Draws clinic/images/share.png, which chats and social networks show next to a link to the site, and the
 * icons in web/public that cannot be SVG. Run `node build/share-image.ts` after a change of the name, the
 * first words of the home page or the logo. The clinic may replace share.png with its own picture.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright';
import { home } from '#clinic/home.ts';
import { identity } from '#clinic/identity.ts';
import { drawMural } from '#web/components/art/draw-mural.ts';
import { flowerPetals, rosettePath } from '#web/components/art/petal.ts';
import { findChromium } from './chromium.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path));
const asDataUrl = (type: string, path: string) => `data:${type};base64,${read(path).toString('base64')}`;
const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const side = 105;
const wall = drawMural({
  side,
  columns: 6,
  rows: 8,
  seed: 23,
  blank: 0.04,
  clearing: { column: 3, row: 4, radius: 1.9 },
  flowers: [
    { column: 5, row: 1, tint: 'sage' },
    { column: 1, row: 6, tint: ['clay', 'sand', 'sand', 'sand', 'sand', 'sand'] },
    { column: 2, row: 1, tint: 'deep' },
    { column: 4, row: 6, tint: 'deep' },
  ],
  quiet: [
    ['tone', 76],
    ['deep', 24],
  ],
});
const tints: Record<string, string> = {
  tone: '#2d5749',
  deep: '#183a30',
  sage: '#a9bfa6',
  sand: '#e9dcc6',
  clay: '#c0603a',
};

const portraitWidth = side * 3.2;
const portraitHeight = (portraitWidth * 434) / 400;
const portrait = {
  x: 3 * side - portraitWidth / 2,
  y: (4 * side * Math.sqrt(3)) / 2 - portraitHeight / 2,
  type: home.hero.portrait.file.endsWith('.svg') ? 'image/svg+xml' : 'image/*',
};

const sharePage = `<!doctype html>
<style>
  @font-face { font-family: Fraunces; font-weight: 100 900;
    src: url(${asDataUrl('font/woff2', 'node_modules/@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2')}) }
  @font-face { font-family: Figtree; font-weight: 300 900;
    src: url(${asDataUrl('font/woff2', 'node_modules/@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2')}) }
  body { margin: 0; inline-size: 1200px; block-size: 630px; position: relative; overflow: hidden; background: #faf6ee; color: #1f2a26 }
  main { position: absolute; inset: 0 520px 0 72px; display: flex; flex-direction: column; justify-content: center }
  h1 { margin: 0; font: 430 72px/1.02 Fraunces; letter-spacing: -.032em }
  h1 span { display: block }
  h1 span + span { margin-block-start: .14em; color: #a94a28 }
  p { margin: 40px 0 0; font: 500 26px/1.45 Figtree; color: #55635c }
  strong { display: block; font-weight: 600; color: #1f2a26 }
  svg { position: absolute; inset: 0 0 auto auto }
</style>
<main>
  <h1>${home.hero.lines.map((line) => `<span>${escapeText(line)}</span>`).join('')}</h1>
  <p><strong>${escapeText(identity.doctorName)}</strong>${escapeText(`${identity.profession} · ${identity.crm}`)}</p>
</main>
<svg width="480" height="630" viewBox="0 0 480 630">
  <clipPath id="panel"><path d="M0 0H480V630H240A240 240 0 0 1 0 390Z"/></clipPath>
  <clipPath id="rosette"><path d="${rosettePath(portraitWidth, portraitHeight)}"/></clipPath>
  <g clip-path="url(#panel)">
    <path fill="#21473c" d="M0 0H480V630H0Z"/>
    <g transform="translate(-72 -49)">
      ${wall.petals.map(([tint, path]) => `<path fill="${tints[tint]}" d="${path}"/>`).join('')}
      <g transform="translate(${portrait.x} ${portrait.y})" clip-path="url(#rosette)">
        <image width="${portraitWidth}" height="${portraitHeight}" preserveAspectRatio="xMidYMid slice"
          href="${asDataUrl(portrait.type, `clinic${home.hero.portrait.file}`)}"/>
      </g>
    </g>
  </g>
</svg>`;

/** The logo on its background, with space for the corners that phones cut off. */
function iconPage(size: number, ground: string | undefined) {
  const [first, ...rest] = flowerPetals;
  const reach = ground ? 4.4 : 3.1;
  return `<!doctype html><style>body{margin:0}svg{display:block}</style>
<svg width="${size}" height="${size}" viewBox="${-reach} ${-reach} ${2 * reach} ${2 * reach}">
  ${ground ? `<path fill="${ground}" d="M${-reach} ${-reach}h${2 * reach}v${2 * reach}h${-2 * reach}z"/>` : ''}
  <path fill="#21473c" d="${rest.join('')}"/><path fill="#c0603a" d="${first}"/>
</svg>`;
}

async function draw(browser: Browser, html: string, width: number, height: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(html);
  await page.evaluate(() => document.fonts.ready);
  // Only the small icon has no background.
  const picture = await page.screenshot({ omitBackground: width === 32 });
  await page.close();
  return picture;
}

/**
 * Compresses a picture again: flat colours compress best without PNG filters, which Chromium always uses.
 * @param png an opaque picture
 */
async function repack(browser: Browser, png: Buffer, width: number, height: number): Promise<Buffer> {
  const page = await browser.newPage();
  const colours = await page.evaluate(
    async ({ source, width, height }) => {
      const picture = await createImageBitmap(await (await fetch(source)).blob());
      const canvas = new OffscreenCanvas(width, height).getContext('2d');
      canvas?.drawImage(picture, 0, 0);
      return Array.from(canvas?.getImageData(0, 0, width, height).data ?? []);
    },
    { source: `data:image/png;base64,${png.toString('base64')}`, width, height },
  );
  await page.close();
  const lines = Buffer.alloc(height * (1 + width * 3));
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const at = 1 + Math.floor(pixel / width) + pixel * 3;
    for (let channel = 0; channel < 3; channel += 1) lines[at + channel] = colours[pixel * 4 + channel] ?? 0;
  }
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  // Eight bits each for red, green and blue.
  size.set([8, 2], 8);
  return Buffer.concat([
    png.subarray(0, 8),
    pngChunk('IHDR', size),
    pngChunk('IDAT', deflateSync(lines, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** An ICO file that contains one PNG. Every browser since 2010 supports this. */
function asIco(png: Buffer, size: number): Buffer {
  const header = Buffer.alloc(22);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(1, 4);
  header.writeUInt8(size, 6);
  header.writeUInt8(size, 7);
  header.writeUInt16LE(1, 10);
  header.writeUInt16LE(32, 12);
  header.writeUInt32LE(png.length, 14);
  header.writeUInt32LE(header.length, 18);
  return Buffer.concat([header, png]);
}

const executablePath = findChromium();
if (executablePath === undefined) throw new Error('No Chromium was found: set CHROMIUM_PATH.');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const share = await draw(browser, sharePage, 1200, 630);
writeFileSync(join(root, 'clinic/images/share.png'), await repack(browser, share, 1200, 630));
for (const [file, size] of [
  ['apple-touch-icon', 180],
  ['icon-192', 192],
  ['icon-512', 512],
] as const)
  writeFileSync(
    join(root, `web/public/${file}.png`),
    await draw(browser, iconPage(size, '#faf6ee'), size, size),
  );
writeFileSync(
  join(root, 'web/public/favicon.ico'),
  asIco(await draw(browser, iconPage(32, undefined), 32, 32), 32),
);
await browser.close();
