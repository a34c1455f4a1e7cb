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
  return rest.every((item, place) => item === items[place]) ? items : rest;
}
