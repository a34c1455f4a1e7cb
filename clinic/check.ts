import * as z from 'zod';
import {
  aboutSchema,
  homeSchema,
  identitySchema,
  memberSchema,
  practicesSchema,
  privacySchema,
  questionsSchema,
} from './schema.ts';
import { texts } from './texts.ts';

const schema = z.strictObject({
  identity: identitySchema,
  home: homeSchema,
  about: aboutSchema,
  member: memberSchema,
  practices: practicesSchema,
  privacy: privacySchema,
  questions: questionsSchema,
});

/**
 * Makes sure that nothing the law or the pages need is missing or malformed.
 * @throws Error with one sentence that names the file and the field
 */
export function checkClinic(candidate: unknown = texts): void {
  const issue = schema.safeParse(candidate).error?.issues[0];
  if (!issue) return;
  const [file, ...field] = issue.path;
  throw new Error(`Confira clinic/${String(file)}.ts, em ${field.join('.')}: ${issue.message}.`);
}
