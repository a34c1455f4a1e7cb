/**
 * Draws the icons in web/public that cannot be SVG. Run `node build/icons.ts` after a change of the logo.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright';
import { flowerPetals } from '#web/components/art/petal.ts';
import { findChromium } from './chromium.ts';

const root = join(import.meta.dirname, '..');

/**
 * The logo, by default without a background.
 * @param reach half the side of the picture, in units of the logo, whose petals end at 3
 */
function iconPage(size: number, reach = 3.1, ground?: string) {
  const [first, ...rest] = flowerPetals;
  return `<!doctype html><style>body{margin:0}svg{display:block}</style>
<svg width="${size}" height="${size}" viewBox="${-reach} ${-reach} ${2 * reach} ${2 * reach}">
  ${ground ? `<path fill="${ground}" d="M${-reach} ${-reach}h${2 * reach}v${2 * reach}h${-2 * reach}z"/>` : ''}
  <path fill="#21473c" d="${rest.join('')}"/><path fill="#c0603a" d="${first}"/>
</svg>`;
}

async function draw(browser: Browser, html: string, size: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(html);
  // Only the small icon has no background.
  const picture = await page.screenshot({ omitBackground: size === 32 });
  await page.close();
  return picture;
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
for (const [file, size, reach] of [
  ['apple-touch-icon', 180, 4.4],
  ['icon-192', 192, 3.8],
  ['icon-512', 512, 3.8],
  // Phones may cut off everything outside a circle of four fifths of the side (Web app manifest, safe zone).
  ['icon-maskable', 512, 4.4],
] as const)
  writeFileSync(
    join(root, `web/public/${file}.png`),
    await draw(browser, iconPage(size, reach, '#faf6ee'), size),
  );
writeFileSync(join(root, 'web/public/favicon.ico'), asIco(await draw(browser, iconPage(32), 32), 32));
await browser.close();
