import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

/** Characters of code and URLs, which the title font leaves out. A title shows them in the fallback font. */
const codeSigns = [...'#*<=>@[\\]^_`{|}~'];

/**
 * Letters of Portuguese and of names in Brazil, and the signs that texts of this site use. Each file stays
 * below 12.2 kB, so that a slow connection that also serves three other requests needs only two round trips
 * for the file and its headers.
 */
const letters = [
  ...Array.from({ length: 0x5f }, (_, place) => String.fromCharCode(0x20 + place)),
  ...'\u00a0ÀÁÂÃÇÉÊÍÓÔÕÚÜàáâãçéêíóôõúü',
  ...'ÄÖÑäèëïöñ',
  ...'ªº°·–—‘’“”…•©→',
];

/**
 * The title typeface has one weight, because a range of weights would double the file without a visible
 * difference. The text typeface needs a range.
 */
const cuts: readonly {
  family: string;
  letters: string[];
  wght: number | { min: number; max: number; default: number };
}[] = [
  { family: 'fraunces', letters: letters.filter((sign) => !codeSigns.includes(sign)), wght: 460 },
  { family: 'figtree', letters, wght: { min: 400, max: 600, default: 400 } },
];

/** The OpenType features in use: kerning, accents, ligatures, shapes of each weight, figures. */
const features = ['kern', 'mark', 'mkmk', 'ccmp', 'locl', 'liga', 'rvrn', 'lnum', 'tnum'];

/** A hash of the options above, so that the files get new names when the options change. */
const recipe = createHash('sha256')
  .update(JSON.stringify([cuts, features]))
  .digest('base64url')
  .slice(0, 4);

/** The file name of a font in the built site. */
export const fontFileName = `static/fonts/[name]-[hash]-${recipe}[extname]`;

/**
 * Keeps only the letters and weights that the site uses. This makes the font files less than half as large.
 * @throws Error when no subset is defined for a typeface
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
        // The package's types lack `keepFeatures`.
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

/** The families of `shareFonts` by their names inside the files. */
export const shareFamilies = { title: 'Fraunces', text: 'Figtree Light' };

const shareWeights = [
  { family: 'fraunces', weight: 430 },
  { family: 'figtree', weight: 500 },
  { family: 'figtree', weight: 600 },
];

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, place) => String.fromCharCode(first + place)).join('');

/**
 * All Latin letters and signs, but no combining accents. If the first font file had these, Pango would build
 * "ć" from "c" and a misplaced accent, instead of taking "ć" from the second file.
 */
const shareLetters = range(0x20, 0x2ff) + range(0x2000, 0x22ff);

/**
 * Makes the TrueType fonts of the share image: all Latin letters of both typefaces, each file with one
 * weight.
 */
export async function shareFonts(): Promise<{ name: string; content: Uint8Array }[]> {
  const { resolve } = createRequire(import.meta.url);
  return Promise.all(
    shareWeights.flatMap(({ family, weight }) =>
      ['latin', 'latin-ext'].map(async (script) => {
        const file = resolve(`@fontsource-variable/${family}/files/${family}-${script}-wght-normal.woff2`);
        const options = { targetFormat: 'sfnt' as const, variationAxes: { wght: weight } };
        const content = await subsetFont(await readFile(file), shareLetters, options);
        return { name: `${family}-${script}-${weight}.ttf`, content };
      }),
    ),
  );
}
