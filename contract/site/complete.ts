import * as z from 'zod/mini';
import { type SectionName, type SiteContent, sectionNames, siteContentSchema } from './content.ts';

/**
 * Adds missing fields, with the schema's defaults, to a section that an older version of this program stored.
 * It does not check the section. It orders the fields as in the schema, so that two sections can be compared.
 */
export const completeSection = <Name extends SectionName>(section: Name, stored: unknown) =>
  convert(siteContentSchema.shape[section], stored, (value, byDefault) =>
    value === undefined ? byDefault : value,
  ) as SiteContent[Name];

/**
 * Completes every section of stored content, like `completeSection`. A section that is missing gets the
 * default of its schema. A section that only a newer version of this program knows is left out.
 */
export const completeContent = (stored: object): SiteContent =>
  Object.fromEntries(
    sectionNames
      .map((name) => [name, completeSection(name, (stored as Partial<SiteContent>)[name])] as const)
      .filter(([, section]) => section !== undefined),
  ) as SiteContent;

/**
 * Removes every field whose value is its default. This is the form in which an older version of this program,
 * which does not know these fields, stores the section.
 */
export const withoutDefaults = (section: SectionName, content: object) =>
  // A section that equals its own default has no fields left.
  (convert(siteContentSchema.shape[section], content, (value, byDefault) =>
    JSON.stringify(value) === JSON.stringify(byDefault) ? undefined : value,
  ) ?? {}) as object;

/**
 * The number of fields with a default in the schema. It is part of the URL of the site content: browsers
 * cache a published version for a year, but a newer version of this program can add fields to it.
 */
export const fieldsWithDefault: number = countDefaults(siteContentSchema);

type Change = (value: unknown, byDefault: unknown) => unknown;

/**
 * Changes the values of the fields with a default. If `change` returns `undefined`, the field is left out.
 */
function convert(schema: z.core.$ZodType, value: unknown, change: Change): unknown {
  if (schema instanceof z.ZodMiniDefault)
    return convert(schema.def.innerType, change(value, schema.def.defaultValue), change);
  if (schema instanceof z.ZodMiniArray)
    return Array.isArray(value) ? value.map((item) => convert(schema.def.element, item, change)) : value;
  if (!(schema instanceof z.ZodMiniObject) || !isRecord(value)) return value;
  const known = Object.entries<z.core.$ZodType>(schema.shape)
    .map(([key, inner]) => [key, convert(inner, value[key], change)] as const)
    .filter(([, inner]) => inner !== undefined);
  const unknown = Object.entries(value).filter(([key]) => !Object.hasOwn(schema.shape, key));
  return Object.fromEntries([...known, ...unknown]);
}

function countDefaults(schema: z.core.$ZodType): number {
  if (schema instanceof z.ZodMiniDefault) return 1 + countDefaults(schema.def.innerType);
  if (schema instanceof z.ZodMiniArray) return countDefaults(schema.def.element);
  if (!(schema instanceof z.ZodMiniObject)) return 0;
  const fields = Object.values<z.core.$ZodType>(schema.shape);
  return fields.reduce((sum, inner) => sum + countDefaults(inner), 0);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
