/** The element that carries what loaders found on the server; a page without it is rendered from nothing. */
export const hydrationDataId = 'hydration-data';
