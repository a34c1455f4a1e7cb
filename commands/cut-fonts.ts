import { createHash } from 'node:crypto';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

/**
 * Portuguese, what names in Brazil need besides, and the signs that texts of this site use. With these each file is
 * below 14 kB: that much, with its headers, comes in the first round trip of a fresh connection.
 */
const letters =
  `${String.fromCharCode(...Array.from({ length: 0x5f }, (_, place) => 0x20 + place))}\u00a0` +
  'ÀÁÂÃÇÉÊÍÓÔÕÚÜàáâãçéêíóôõúü' +
  'ÄÖÑäèëïöñ' +
  'ªº°·–—‘’“”…•©→';

/**
 * Titles have one weight: the range between the lightest and the heaviest they ask for would double the file, and
 * nobody sees it. Text needs a range.
 */
const cuts: readonly { family: string; wght: number | { min: number; max: number; default: number } }[] = [
  { family: 'fraunces', wght: 460 },
  { family: 'figtree', wght: { min: 400, max: 600, default: 400 } },
];

/** Changes when the cut does, so that its files get other names. */
const recipe = createHash('sha256')
  .update(JSON.stringify([letters, cuts]))
  .digest('base64url')
  .slice(0, 4);

/** What a font's file is called in the finished site. */
export const fontFileName = `static/fonts/[name]-[hash]-${recipe}[extname]`;

/**
 * Cuts the typefaces of a build to the letters and weights that the site has: less than half to wait for.
 * @throws Error when a typeface has no cut
 */
export function cutFonts(): Plugin {
  return {
    name: 'cut-fonts',
    apply: 'build',
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.woff2')) continue;
        const cut = cuts.find(({ family }) => file.fileName.includes(`/${family}-`));
        if (!cut) throw new Error(`commands/cut-fonts.ts does not say how to cut ${file.fileName}.`);
        file.source = await subsetFont(Buffer.from(file.source), letters, {
          targetFormat: 'woff2',
          variationAxes: { wght: cut.wght },
        });
      }
    },
  };
}
