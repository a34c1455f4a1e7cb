import type { FieldIssue } from '../errors.ts';
import { type SectionName, type SiteContent, siteContentSchema } from './content.ts';
import { isSample, textsIn } from './sample-values.ts';

/** Zod's issue codes for mistakes that a draft may contain. The server refuses all other mistakes. */
const laterCodes = new Set(['too_small', 'invalid_format']);

export type SectionFindings = {
  /** Mistakes that no draft may have: wrong structure, excessive length, forbidden characters. */
  mistakes: FieldIssue[];
  /** What must be corrected before the section can be published. */
  problems: FieldIssue[];
};

/** Checks a section. In the returned `content`, string values are trimmed. */
export function checkSection<Name extends SectionName>(
  section: Name,
  candidate: unknown,
): SectionFindings & { content?: SiteContent[Name] } {
  const result = siteContentSchema.shape[section].safeParse(candidate);
  const found: SectionFindings = { mistakes: [], problems: [] };
  for (const issue of result.error?.issues ?? []) {
    const isLater = laterCodes.has(issue.code) || (issue.code === 'custom' && issue.params?.inDraft === true);
    found[isLater ? 'problems' : 'mistakes'].push({ path: issue.path.join('.'), message: issue.message });
  }
  if (section === 'identity') {
    const known = [...found.mistakes, ...found.problems];
    found.problems.push(...sampleProblems(candidate, known));
  }
  return result.success ? { ...found, content: result.data as SiteContent[Name] } : found;
}

/** Zod's issue codes for a string that is empty, too long or malformed. Others mean a wrong structure. */
const textCodes = new Set([...laterCodes, 'too_big', 'custom', 'invalid_value']);

/** True if the candidate has the structure of a section, even if its string values are not valid. */
export const isSection = <Name extends SectionName>(
  section: Name,
  candidate: unknown,
): candidate is SiteContent[Name] =>
  siteContentSchema.shape[section]
    .safeParse(candidate)
    .error?.issues.every(({ code }) => textCodes.has(code)) ?? true;

/** True if the clinic has replaced the sample identity. If not, search engines must not index the site. */
export const isIdentityReal = ({ identity }: SiteContent): boolean =>
  checkSection('identity', identity).problems.length === 0;

/** Finds sample values that the clinic has not replaced. Skips fields for which `known` has an issue. */
function sampleProblems(identity: unknown, known: FieldIssue[]): FieldIssue[] {
  return textsIn(identity)
    .filter(({ path, text }) => isSample(text) && !known.some((issue) => issue.path === path))
    .map(({ path }) => ({ path, message: 'ainda é o exemplo: escreva o da clínica' }));
}
