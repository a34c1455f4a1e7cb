/** The id of the element with the loader data. Only prerendered pages have this element. */
export const hydrationDataId = 'hydration-data';
