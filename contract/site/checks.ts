import type { FieldIssue } from '../errors.ts';
import { type SectionName, type SiteContent, sectionNames, siteContentSchema } from './content.ts';
import { isSample, textsIn } from './sample-values.ts';

/** The rules of content that a draft may still break. Every other mistake is refused at once. */
const laterCodes = new Set(['too_small', 'invalid_format']);

export type SectionFindings = {
  /** Mistakes that no draft may have: of structure, of size, or forbidden characters. */
  mistakes: FieldIssue[];
  /** What must be corrected before the section can be published. */
  problems: FieldIssue[];
};

/** Checks a section. Texts are trimmed. */
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

/** The rules that do not concern the structure of a section: texts that are missing, too long or not valid. */
const textCodes = new Set([...laterCodes, 'too_big', 'custom', 'invalid_value']);

/** True if the candidate has the structure of a section, whatever its texts are. */
export const isSection = <Name extends SectionName>(
  section: Name,
  candidate: unknown,
): candidate is SiteContent[Name] =>
  siteContentSchema.shape[section]
    .safeParse(candidate)
    .error?.issues.every(({ code }) => textCodes.has(code)) ?? true;

/** True if the clinic has written who it is. Until then, search engines must not index the site. */
export const isIdentityReal = ({ identity }: SiteContent): boolean =>
  checkSection('identity', identity).problems.length === 0;

/** Finds sample values that the clinic has not replaced, in fields without another problem. */
function sampleProblems(identity: unknown, known: FieldIssue[]): FieldIssue[] {
  return textsIn(identity)
    .filter(({ path, text }) => isSample(text) && !known.some((issue) => issue.path === path))
    .map(({ path }) => ({ path, message: 'ainda é o exemplo: escreva o da clínica' }));
}

/** Something that the rules of medical advertising can forbid, which the admin must confirm. */
export type SiteWarning = FieldIssue & {
  section: SectionName;
  /** The words as they are written. */
  words: string;
};

/**
 * Promises and comparisons that Resolução CFM 2.336/2023 restricts, in folded text (lower case, no accents).
 * https://sistemas.cfm.org.br/normas/visualizar/resolucoes/BR/2023/2336
 */
const restricted: [words: RegExp, message: string][] = [
  [/\b(?:o|a|os|as) melhor(?:es)?\b/g, 'O CFM não permite comparar-se a colegas.'],
  [/\bgaranti(?:do|da|dos|das|mos)\b|\bgarantia de\b/g, 'O CFM não permite prometer resultado.'],
  [/\bcura(?:r|do|da)?\b/g, 'O CFM não permite prometer cura.'],
  [/\bantes e depois\b/g, 'O CFM restringe imagens e relatos de antes e depois.'],
  [/\bdepoimentos?\b/g, 'O CFM restringe depoimentos de pacientes.'],
  [/\bdescontos?\b|\bpromoc(?:ao|oes)\b/g, 'O CFM não permite descontos e promoções como propaganda.'],
];
const titleShownLength = 60;

/** Finds what an admin must confirm before a publication. */
export function warningsIn(content: SiteContent): SiteWarning[] {
  const found = sectionNames.flatMap((section) =>
    textsIn(content[section]).flatMap(({ path, text }) => {
      const found = restricted.flatMap(([words, message]) =>
        [...fold(text).matchAll(words)].map(({ index, 0: match }) => ({
          section,
          path,
          message,
          words: text.slice(index, index + match.length),
        })),
      );
      return isSample(text)
        ? [...found, { section, path, message: 'Este texto ainda é o exemplo.', words: text }]
        : found;
    }),
  );
  const { title } = content.home;
  const shown = `${title} | ${content.identity.shortName}`;
  if (shown.length > titleShownLength)
    found.push({
      section: 'home',
      path: 'title',
      message: `Os buscadores mostram só os primeiros ${titleShownLength} caracteres do título.`,
      words: shown,
    });
  return found;
}

/** Lower case without accents, with as many characters as `text`. */
const fold = (text: string) =>
  [...text.normalize('NFC')]
    .map((character) => {
      const plain = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
      return plain.length === character.length ? plain : character;
    })
    .join('');
