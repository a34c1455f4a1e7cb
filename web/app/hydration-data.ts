/** The id of the element that contains a prerendered page's loader data. Other pages do not have it. */
export const hydrationDataId = 'hydration-data';
