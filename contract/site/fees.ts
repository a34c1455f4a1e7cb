/**
 * True if the clinic has written about its fees. This function is not in content.ts, because visitors'
 * browsers must not load the schema.
 */
export const hasFees = ({ paragraphs, items }: { paragraphs: unknown[]; items: unknown[] }): boolean =>
  paragraphs.length + items.length > 0;
