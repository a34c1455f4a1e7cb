/** The id of the element with a prerendered page's loader data. Other pages do not have this element. */
export const hydrationDataId = 'hydration-data';
