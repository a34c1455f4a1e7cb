import type { MainAxis } from '#contract/axes.ts';

/** The path of an axis's practices. The axis `mind` is the default and needs no parameter. */
export const practicesPath = (axis: MainAxis) => (axis === 'mind' ? '/practices' : `/practices?eixo=${axis}`);
