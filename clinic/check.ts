import { siteContentSchema } from '#contract/site-content.ts';
import { texts } from './texts.ts';

/**
 * Checks that the clinic's texts have everything that the pages and the law require.
 * @throws Error with one sentence that names the file and the field
 */
export function checkClinic(candidate: unknown = texts): void {
  const issue = siteContentSchema.safeParse(candidate).error?.issues[0];
  if (!issue) return;
  const [file, ...field] = issue.path;
  throw new Error(`Confira clinic/${String(file)}.ts, em ${field.join('.')}: ${issue.message}.`);
}
