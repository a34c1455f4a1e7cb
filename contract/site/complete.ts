import type * as z from 'zod/mini';
import { type SectionName, type SiteContent, siteContentSchema } from './content.ts';

/**
 * Adds missing fields, with the schema's defaults, to a section that an older version of this program stored.
 * It does not check the section. It orders the fields as in the schema, so that two sections can be compared.
 */
export const completeSection = <Name extends SectionName>(section: Name, stored: unknown) =>
  convert(siteContentSchema.shape[section], stored, (value, byDefault) =>
    value === undefined ? byDefault : value,
  ) as SiteContent[Name];

/** Completes each section that the content has, like `completeSection`. */
export const completeContent = (stored: object): SiteContent =>
  Object.fromEntries(
    Object.entries(stored).map(([name, section]) => [name, completeSection(name as SectionName, section)]),
  ) as SiteContent;

/**
 * Removes every field whose value is its default. This is the form in which an older version of this program,
 * which does not know these fields, stores the section.
 */
export const withoutDefaults = (section: SectionName, content: object) =>
  convert(siteContentSchema.shape[section], content, (value, byDefault) =>
    JSON.stringify(value) === JSON.stringify(byDefault) ? undefined : value,
  ) as object;

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
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'default') return convert(def.innerType, change(value, def.defaultValue), change);
  if (def.type === 'array')
    return Array.isArray(value) ? value.map((item) => convert(def.element, item, change)) : value;
  if (def.type !== 'object' || !isRecord(value)) return value;
  const known = Object.entries(def.shape)
    .map(([key, inner]) => [key, convert(inner, value[key], change)] as const)
    .filter(([, inner]) => inner !== undefined);
  const unknown = Object.entries(value).filter(([key]) => !Object.hasOwn(def.shape, key));
  return Object.fromEntries([...known, ...unknown]);
}

function countDefaults(schema: z.core.$ZodType): number {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'default') return 1 + countDefaults(def.innerType);
  if (def.type === 'array') return countDefaults(def.element);
  if (def.type !== 'object') return 0;
  return Object.values(def.shape).reduce((sum, inner) => sum + countDefaults(inner), 0);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
