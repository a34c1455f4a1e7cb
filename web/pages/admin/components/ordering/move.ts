/** A move of the item `id` to the place before or after the item `beside`. */
export type Move = { id: string; beside: string; side: 'before' | 'after' };

/** Applies a move. Returns the given list itself if nothing changes. */
export function moved<Item extends { id: string }>(items: Item[], { id, beside, side }: Move): Item[] {
  const one = items.find((item) => item.id === id);
  if (!one || id === beside) return items;
  const rest = items.filter((item) => item !== one);
  const index = rest.findIndex((item) => item.id === beside);
  if (index === -1) return items;
  rest.splice(side === 'before' ? index : index + 1, 0, one);
  return sameOrder(rest, items) ? items : rest;
}

/** True if both lists have the same items, by id, in the same order. */
export const sameOrder = (one: readonly { id: string }[], other: readonly { id: string }[]) =>
  one.length === other.length && one.every(({ id }, index) => id === other[index]?.id);
