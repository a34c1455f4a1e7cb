/** The needs at night that the clinic can offer practices for. */
export const nightNeeds = ['sleep', 'thoughts', 'chest'] as const;
export type NightNeed = (typeof nightNeeds)[number];
