import { createHash } from 'node:crypto';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

/** What only code and addresses are written with. In a title it would be in the type that stands in. */
const codeSigns = [...'#*<=>@[\\]^_`{|}~'];

/**
 * Portuguese, what names in Brazil need besides, and the signs that texts of this site use. With these each file is
 * below 12.2 kB: with its headers it comes in two parts while three other requests share a slow line.
 */
const letters = [
  ...Array.from({ length: 0x5f }, (_, place) => String.fromCharCode(0x20 + place)),
  ...'\u00a0ÀÁÂÃÇÉÊÍÓÔÕÚÜàáâãçéêíóôõúü',
  ...'ÄÖÑäèëïöñ',
  ...'ªº°·–—‘’“”…•©→',
];

/**
 * Titles have one weight: the range between the lightest and the heaviest they ask for would double the file, and
 * nobody sees it. Text needs a range.
 */
const cuts: readonly {
  family: string;
  letters: string[];
  wght: number | { min: number; max: number; default: number };
}[] = [
  { family: 'fraunces', letters: letters.filter((sign) => !codeSigns.includes(sign)), wght: 460 },
  { family: 'figtree', letters, wght: { min: 400, max: 600, default: 400 } },
];

/** Kerning, accents, ligatures, the shapes of each weight, and the figures that styles ask for: no other is ever seen. */
const features = ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'liga', 'rvrn', 'lnum', 'tnum'];

/** Changes when the cut does, so that its files get other names. */
const recipe = createHash('sha256')
  .update(JSON.stringify([cuts, features]))
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
        if (!cut) throw new Error(`build/fonts.ts does not say how to cut ${file.fileName}.`);
        // Its types do not know of `keepFeatures` yet.
        const options = {
          targetFormat: 'woff2' as const,
          variationAxes: { wght: cut.wght },
          keepFeatures: features,
        };
        file.source = await subsetFont(Buffer.from(file.source), cut.letters.join(''), options);
      }
    },
  };
}
