import * as z from 'zod/mini';
import { type Arrangement, type SectionName, siteContentSchema } from './content.ts';
import { isSample, textsIn } from './sample-values.ts';

/**
 * Lists the paths of the fields whose value is still that of the sample content. A field is a text, several
 * texts in one field, a file, or an item of a list. Choices and empty samples do not count.
 */
export const untouchedFields = (section: SectionName, content: unknown, sample: unknown): string[] =>
  section === 'arrangement' ? [] : fieldsAt(siteContentSchema.shape[section], content, sample, '');

/**
 * Lists the fields that "Ainda é o exemplo" marks: untouched, neither hidden nor confirmed by the clinic. A
 * sample value that a clinic must replace, such as the sample CRM, cannot be confirmed.
 */
export function openSamples(
  section: SectionName,
  { content, sample, arrangement }: { content: unknown; sample: unknown; arrangement: Arrangement },
): string[] {
  return untouchedFields(section, content, sample).filter((path) => {
    const whole = path === '' ? section : `${section}.${path}`;
    if (isPartHidden(whole, arrangement)) return false;
    const isConfirmed = arrangement.confirmed.some((part) => whole === part || whole.startsWith(`${part}.`));
    return !isConfirmed || textsIn(valueAt(content, path)).some(({ text }) => isSample(text));
  });
}

/** True if the clinic has hidden the part of the page that shows a field. @param path with the section */
export function isPartHidden(path: string, { home, about }: Arrangement): boolean {
  const hidden = [
    ...home.hidden.map((part) => `home.${part}`),
    ...about.hidden.map((part) => `about.${part}`),
    ...(home.hidden.includes('faq') ? ['questions'] : []),
    ...(about.hidden.includes('act') ? ['about.processes'] : []),
  ];
  return hidden.some((part) => path === part || path.startsWith(`${part}.`));
}

function fieldsAt(schema: z.core.$ZodType, value: unknown, sample: unknown, path: string): string[] {
  const inside = (key: string, inner: z.core.$ZodType) =>
    fieldsAt(inner, valueAt(value, key), valueAt(sample, key), path === '' ? key : `${path}.${key}`);
  if (schema instanceof z.ZodMiniDefault || schema instanceof z.ZodMiniOptional)
    return fieldsAt(schema.def.innerType, value, sample, path);
  if (schema instanceof z.ZodMiniObject)
    return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([key, inner]) => inside(key, inner));
  if (schema instanceof z.ZodMiniTuple)
    return schema.def.items.flatMap((inner, key) => inside(String(key), inner));
  const isText = schema instanceof z.ZodMiniString || schema instanceof z.ZodMiniArray;
  if (!isText || !hasLength(sample) || !hasLength(value)) return [];
  if (schema instanceof z.ZodMiniArray && schema.def.element instanceof z.ZodMiniObject) {
    const samples = Array.from(sample, (item) => JSON.stringify(item));
    return Array.from(value, (_item, place) => (path === '' ? `${place}` : `${path}.${place}`)).filter(
      (_path, place) => samples.includes(JSON.stringify(value[place])),
    );
  }
  return JSON.stringify(value) === JSON.stringify(sample) ? [path] : [];
}

/** True for a text and a list that are not empty. */
const hasLength = (value: unknown): value is ArrayLike<unknown> & Iterable<unknown> =>
  (typeof value === 'string' || Array.isArray(value)) && value.length > 0;

/** Returns the value at a path such as `hero.lines.0`; `undefined` if there is none. */
const valueAt = (whole: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
      whole,
    );
