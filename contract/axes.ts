/** The axes of activities. `values` is for activities that have no narrower axis. */
export const axes = ['mind', 'move', 'nutri', 'family', 'career', 'fun', 'values'] as const;
export type Axis = (typeof axes)[number];

/** The axes that the forms for new and edited activities offer, in the order of the forms. */
export const formAxes = [
  'mind',
  'move',
  'nutri',
  'family',
  'career',
  'fun',
] as const satisfies readonly Axis[];

/** The four axes that have a list, a count and an admin page of their own. */
export const mainAxes = ['mind', 'move', 'nutri', 'values'] as const satisfies readonly Axis[];
export type MainAxis = (typeof mainAxes)[number];

/** The four list documents of the collection `activities`. */
export const listNames = ['mindActsList', 'moveActsList', 'nutriActsList', 'valuesActsList'] as const;
export type ListName = (typeof listNames)[number];

/** The main axis whose list holds `axis`. The list of `values` also holds family, career and fun. */
export function mainAxisOf(axis: Axis): MainAxis {
  return axis === 'mind' || axis === 'move' || axis === 'nutri' ? axis : 'values';
}

/** The list document that holds the activities of `axis`. */
export function listOf(axis: Axis): ListName {
  return `${mainAxisOf(axis)}ActsList`;
}
