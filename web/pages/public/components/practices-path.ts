import type { MainAxis } from '#contract/axes.ts';

/** Where the practices of an axis are; those of the mind come first, at the plain address. */
export const practicesPath = (axis: MainAxis) => (axis === 'mind' ? '/practices' : `/practices?eixo=${axis}`);
