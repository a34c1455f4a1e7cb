import type { MainAxis } from '#contract/axes.ts';

/** The path of the form for a new activity of a list. If the list has only one axis, it is preselected. */
export const newActivityPath = (axis: MainAxis) => `/admin/newact${axis === 'values' ? '' : `?axis=${axis}`}`;
