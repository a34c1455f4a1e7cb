/** True if the clinic has written about its fees. In its own file: visitors must not load the schema. */
export const hasFees = ({ paragraphs, items }: { paragraphs: unknown[]; items: unknown[] }): boolean =>
  paragraphs.length + items.length > 0;
