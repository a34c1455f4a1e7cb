import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod/mini';
import { siteContentSchema } from '#contract/site/content.ts';
import { audio, picture } from '#contract/site/fields.ts';
import { fileFields } from './site-files.ts';

test('every field of the content that names a file is exported', () => {
  const named = fieldsOf(siteContentSchema).filter(({ schema }) => schema === audio || schema === picture);
  assert.deepEqual(
    fileFields.map(({ path }) => path.join('.')).toSorted(),
    named.map(({ path }) => path).toSorted(),
  );
});

/** Lists the fields of a schema and of the objects inside it, each with its path. */
function fieldsOf(schema: z.core.$ZodType, path = ''): { path: string; schema: z.core.$ZodType }[] {
  if (schema instanceof z.ZodMiniDefault || schema instanceof z.ZodMiniOptional)
    return fieldsOf(schema.def.innerType, path);
  if (!(schema instanceof z.ZodMiniObject)) return [{ path, schema }];
  return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([key, inner]) =>
    fieldsOf(inner, path ? `${path}.${key}` : key),
  );
}
