import type { MainAxis } from '#contract/axes.ts';

/** The path of the form for a new activity of a list. It preselects the axis if the list has only one. */
export const newActivityPath = (axis: MainAxis) => `/admin/newact${axis === 'values' ? '' : `?axis=${axis}`}`;
