/** The element with the data of the server's loaders. A page without it is not prerendered. */
export const hydrationDataId = 'hydration-data';
