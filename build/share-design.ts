import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ShareDesign, shareImage } from '#contract/site/share-image.ts';
import { drawMural } from '#web/components/art/draw-mural.ts';
import { rosettePath } from '#web/components/art/petal.ts';
import { shareFamilies, shareFonts } from './fonts.ts';

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
/** The panel with the mural is at the right edge. */
const panel = { left: 720, width: 480, shape: 'M0 0H480V630H240A240 240 0 0 1 0 390Z' };
const wallOffset = { x: -72, y: -49 };

const { width, height } = shareImage;

/** The portrait fills the area that the mural leaves empty (`clearing`). */
const portraitWidth = Math.round(side * 3.2);
const portraitHeight = Math.round((portraitWidth * 434) / 400);
const portrait: ShareDesign['portrait'] = {
  left: Math.round(panel.left + wallOffset.x + 3 * side - portraitWidth / 2),
  top: Math.round(wallOffset.y + (4 * side * Math.sqrt(3)) / 2 - portraitHeight / 2),
  width: portraitWidth,
  height: portraitHeight,
  mask: svg(portraitWidth, portraitHeight, `<path d="${rosettePath(portraitWidth, portraitHeight)}"/>`),
};

/** A portrait can be transparent, so the area behind it is filled with the colour of the sample portrait. */
const background = svg(
  width,
  height,
  `<path fill="#faf6ee" d="M0 0H${width}V${height}H0Z"/>
<g transform="translate(${panel.left})">
<clipPath id="panel"><path d="${panel.shape}"/></clipPath>
<g clip-path="url(#panel)"><path fill="#21473c" d="M0 0H${panel.width}V${height}H0Z"/>
<g transform="translate(${wallOffset.x} ${wallOffset.y})">
${wall.petals.map(([tint, path]) => `<path fill="${tints[tint]}" d="${path}"/>`).join('\n')}
</g></g></g>
<path fill="${tints.sand}" transform="translate(${portrait.left} ${portrait.top})" d="${rosettePath(portraitWidth, portraitHeight)}"/>`,
);

function svg(width: number, height: number, content: string) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`;
}

/**
 * A server has no fonts of its own. With this file fontconfig finds the fonts of the build, and no others.
 * https://www.freedesktop.org/software/fontconfig/fontconfig-user.html
 */
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`;

/** Writes what the server needs to draw the share image. @param folder `dist/share-image` */
export async function writeShareDesign(folder: string): Promise<void> {
  const design: ShareDesign = { background, portrait, families: shareFamilies };
  await mkdir(resolve(folder, 'fonts'), { recursive: true });
  await writeFile(resolve(folder, 'design.json'), JSON.stringify(design));
  await writeFile(resolve(folder, 'fonts.conf'), fontsConf);
  for (const { name, content } of await shareFonts())
    await writeFile(resolve(folder, 'fonts', name), content);
}
