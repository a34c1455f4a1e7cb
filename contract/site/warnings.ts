import type { FieldIssue } from '../errors.ts';
import { type SectionName, type SiteContent, sectionNames } from './content.ts';
import { isPsychiatrist } from './registrations.ts';
import { isSample, textsIn } from './sample-values.ts';
import { shownContent } from './shown-content.ts';

/** A possible mistake. The admin must confirm it before a publication. */
export type SiteWarning = FieldIssue & {
  section: SectionName;
  /** The words that the warning is about, with the spelling of the text. */
  words: string;
};

/**
 * Finds what an admin must confirm before a publication. Hidden parts cause no warnings.
 * @param sample the content of a new installation
 */
export function warningsIn(written: SiteContent, sample: SiteContent): SiteWarning[] {
  const content = shownContent(written);
  const rules = [...restricted, ...rulesOfSpecialties(content)];
  const inTexts = sectionNames.flatMap((section) =>
    textsIn(content[section]).flatMap(({ path, text }) => {
      const found = matchesOf(text, rules).map((match) => ({ section, path, ...match }));
      return isSample(text)
        ? [...found, { section, path, message: 'Este texto ainda é o exemplo.', words: text }]
        : found;
    }),
  );
  return [...inTexts, ...stillSample(content, sample, written.arrangement.confirmed), ...longTitles(content)];
}

type Rule = [words: RegExp, message: string];

/**
 * Promises and comparisons that Resolução CFM 2.336/2023 restricts, in folded text (lower case, no accents).
 * https://sistemas.cfm.org.br/normas/visualizar/resolucoes/BR/2023/2336
 */
const restricted: Rule[] = [
  [/\b(?:o|a|os|as)\s+melhor(?:es)?\b/g, 'O CFM não permite comparar-se a colegas.'],
  [/\bgarant(?:e|em|ir|imos|indo|id[oa]s?)\b|\bgarantias?\b/g, 'O CFM não permite prometer resultado.'],
  [/\bcur(?:a|as|ar|am|amos|ou|ad[oa]s?)\b/g, 'O CFM não permite prometer cura.'],
  [/\bantes\s+e\s+(?:o\s+)?depois\b/g, 'O CFM restringe imagens e relatos de antes e depois.'],
  [
    /\bdepoimentos?\b|\brelatos\s+d[eo]s?\s+(?:(?:meus|nossos)\s+)?pacientes\b|\bo\s+que\s+dizem\s+(?:os\s+)?(?:(?:meus|nossos)\s+)?pacientes\b/g,
    'O CFM restringe depoimentos de pacientes.',
  ],
  [
    // "Promoção da saúde" is a term of public health.
    /\bdescontos?\b|\bpromoc(?:ao|oes)\b(?!\s+d[ae]\s+saude\b)|\bpromociona(?:l|is)\b|\b\d+\s*%\s*off\b|\bde\s+r\$\s*\d[\d.,]*\s+por\s+(?:(?:apenas|so)\s+)?r\$\s*\d+/g,
    'O CFM não permite descontos e promoções como propaganda.',
  ],
  [
    /\bpos-?gradua(?:d[oa]s?|cao|coes)\b(?!.{0,150}\bnao especialista\b)/gs,
    'O CFM pede as palavras NÃO ESPECIALISTA depois de uma pós-graduação que não é uma especialidade com RQE.',
  ],
];

/** Rules against naming a specialty that the identity does not list with its registration (RQE). */
function rulesOfSpecialties({ identity }: SiteContent): Rule[] {
  const message = 'O CFM só permite anunciar uma especialidade com o RQE, e ela não está na identidade.';
  const stems = identity.specialties.map(({ name }) =>
    fold(name)
      .replace(/[^a-z]/g, '')
      .slice(0, 6),
  );
  return [
    ...(isPsychiatrist(identity) ? [] : [[/\bpsiquiatr\w+/g, message] satisfies Rule]),
    stems.length > 0
      ? [new RegExp(`\\bespecialist\\w+\\s+em\\s+(?!${stems.join('|')})\\w+`, 'g'), message]
      : [/\bespecialist\w+/g, message],
  ];
}

function matchesOf(text: string, rules: Rule[]) {
  const shown = text.normalize('NFC');
  const folded = fold(shown);
  return rules.flatMap(([words, message]) =>
    [...folded.matchAll(words)].map(({ index, 0: match }) => ({
      message,
      words: shown.slice(index, index + match.length),
    })),
  );
}

/** Removes accents and upper case, and keeps the position of every character. */
const fold = (text: string) =>
  [...text]
    .map((character) => {
      const plain = character.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
      return plain.length === character.length ? plain : character;
    })
    .join('');

/** Facts and promises in the sample content. Nothing marks them as samples, so a clinic can overlook them. */
const facts: { section: SectionName; path: string; part: (content: SiteContent) => unknown }[] = [
  { section: 'identity', path: 'schedule', part: ({ identity }) => identity.schedule.days },
  { section: 'home', path: 'hero.portrait', part: ({ home }) => home.hero.portrait },
  { section: 'home', path: 'about.portrait', part: ({ home }) => home.about.portrait },
  { section: 'home', path: 'fees', part: ({ home }) => home.fees },
  { section: 'privacy', path: 'sections', part: ({ privacy }) => privacy.sections },
];

function stillSample(content: SiteContent, sample: SiteContent, confirmed: string[]): SiteWarning[] {
  return facts
    .filter(({ section, path }) => !confirmed.some((part) => `${section}.${path}.`.startsWith(`${part}.`)))
    .filter(({ part }) => JSON.stringify(part(content)) === JSON.stringify(part(sample)))
    .map(({ section, path, part }) => ({
      section,
      path,
      words: wordsOf(part(content)),
      message: 'Ainda é o exemplo. Vale para a sua clínica?',
    }));
}

/** Finds the first text in a value of `facts`: the title, the description of a picture, or a time. */
const wordsOf = (part: unknown): string =>
  textsIn(part).find(({ path, text }) => !/weekdays|file|dark/.test(path) && text !== '')?.text ?? '';

const titleShownLength = 60;

/** Finds titles that search engines cut off. Skips practices, because their titles are in the library. */
function longTitles({ home, about, identity }: SiteContent): SiteWarning[] {
  const titles: [section: SectionName, path: string, title: string][] = [
    ['home', 'title', home.title],
    ['about', 'pageTitle', about.pageTitle],
    // The program writes the titles of some pages. Of those that search engines index, this is the longest.
    ['identity', 'shortName', 'Privacidade'],
  ];
  return titles
    .map(([section, path, title]) => ({ section, path, words: `${title} | ${identity.shortName}` }))
    .filter(({ words }) => words.length > titleShownLength)
    .map((found) => ({
      ...found,
      message: `Os buscadores mostram só os primeiros ${titleShownLength} caracteres do título.`,
    }));
}
