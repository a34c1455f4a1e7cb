import * as z from 'zod/mini';
import { type SectionName, type SiteContent, siteContentSchema } from '#contract/site/content.ts';

/**
 * Returns content as the first version of this program stored it: without the fields that have a default,
 * because all of these were added later.
 */
export const olderContent = (content: SiteContent) =>
  withoutNewFields(siteContentSchema, content) as {
    [Name in SectionName]: Record<string, unknown> & Partial<SiteContent[Name]>;
  };

function withoutNewFields(schema: z.core.$ZodType, value: unknown): unknown {
  if (!(schema instanceof z.ZodMiniObject)) return value;
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  return Object.fromEntries(
    fields
      .filter(([key, inner]) => !(inner instanceof z.ZodMiniDefault) && Object.hasOwn(value as object, key))
      .map(([key, inner]) => [key, withoutNewFields(inner, (value as Record<string, unknown>)[key])]),
  );
}
