import type { MainAxis } from '#contract/axes.ts';

/** The form's address for a new practice of this list; chooses the axis if the list has only one. */
export const newActivityAddress = (axis: MainAxis) =>
  `/admin/newact${axis === 'values' ? '' : `?axis=${axis}`}`;
