/** What practices can help with at night: falling asleep, racing thoughts, a tight chest. */
export const nightNeeds = ['sleep', 'thoughts', 'chest'] as const;
export type NightNeed = (typeof nightNeeds)[number];
