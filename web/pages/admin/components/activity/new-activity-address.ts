import type { MainAxis } from '#contract/axes.ts';

/** Where a practice of this list is begun, its axis chosen already where the list has only one. */
export const newActivityAddress = (axis: MainAxis) =>
  `/admin/newact${axis === 'values' ? '' : `?axis=${axis}`}`;
