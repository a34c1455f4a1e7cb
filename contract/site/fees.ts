/** True if the clinic has written about its fees. Not beside the schema, so that visitors do not load that. */
export const hasFees = ({ paragraphs, items }: { paragraphs: unknown[]; items: unknown[] }): boolean =>
  paragraphs.length + items.length > 0;
