/** The history state of a practice's page, if the visitor has opened the page from the grid of /practices. */
export const openedFromGrid = { fromGrid: true };

export const isOpenedFromGrid = (state: unknown) =>
  typeof state === 'object' && state !== null && 'fromGrid' in state;
