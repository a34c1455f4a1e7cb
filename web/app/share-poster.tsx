import { renderToString } from 'react-dom/server';
import { type Axis, mainAxisOf } from '#contract/axes.ts';
import posterStyles from '../components/art/poster.module.css';
import { GeneratedPoster } from '../components/art/poster.tsx';
import tokens from '../styles/tokens.css?inline';

/** The tones of the classes soft, mid and deep, by `data-tones`. Keep them equal to poster.module.css. */
const tones: [soft: string, mid: string, deep: string][] = [
  ['soft', 'mid', 'deep'],
  ['mid', 'soft', 'deep'],
  ['soft', 'deep', 'mid'],
];

/** Draws the generated picture of an activity as an SVG file, in the colours of the light theme. */
export function drawPoster({ axis, id }: { axis: Axis; id: string }): string {
  const drawing = renderToString(<GeneratedPoster axis={axis} seed={id} />);
  const [soft, mid, deep] = tones[Number(/data-tones="(\d)"/.exec(drawing)?.[1])] ?? [];
  const name = mainAxisOf(axis);
  const fills = { soft: `${name}-${soft}`, mid: `${name}-${mid}`, deep: `${name}-${deep}`, sun: 'axis-sun' };
  const rules = Object.entries(fills).map(
    ([tone, token]) => `.${posterStyles[tone]}{fill:${colorOf(token)}}`,
  );
  const style = `<style>${rules.join('')}</style>`;
  return drawing
    .replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720"')
    .replace('>', () => `>${style}`);
}

/** Returns the colour of a token in the light theme, which is the token's first value in tokens.css. */
function colorOf(token: string): string {
  const [, color] = new RegExp(`--${token}:\\s*(#[0-9a-f]{3,6})`).exec(tokens) ?? [];
  if (!color) throw new Error(`tokens.css has no colour ${token}.`);
  return color;
}
