/** The state of the history entry of a practice's page that was opened from /practices. */
export const openedFromGrid = { fromGrid: true };

export const isOpenedFromGrid = (state: unknown) =>
  typeof state === 'object' && state !== null && 'fromGrid' in state;
