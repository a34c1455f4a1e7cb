import type { Need } from '#contract/practices/needs.ts';
import { foldForSearch } from '#contract/text.ts';

/** The practices that a search finds, by id. `best` are those whose title or needs have all its words. */
export type SearchResult = { best: ReadonlySet<string>; all: ReadonlySet<string> };

/** Folded Portuguese words that are in nearly every sentence, and so say nothing about a visitor's need. */
const commonWords = new Set(
  'a ao as com como consigo da das de do dos e em eu me meu minha na nao no nos o os ou para por pra pratica praticas que quero se sem um uma'.split(
    ' ',
  ),
);

/** Limits of the processor time of a search: a single letter begins the words of nearly every text. */
const [shortestWord, mostWords] = [2, 4];

/** Letters, digits, accents, and invisible characters, which foldForSearch removes. */
const word = /[\p{L}\p{N}\p{M}\p{Cf}]+/gu;

const wordsIn = (text: string): string[] => (text.match(word) ?? []).map(foldForSearch).filter(Boolean);

/** The ids of practices by the folded words that they contain. */
type Words = Map<string, Set<string>>;

/**
 * Creates an index of words. A search finds a practice if each word of the search begins a word of its title,
 * of its text or of the name of one of its needs.
 */
export function createSearchIndex() {
  const [titles, texts]: [Words, Words] = [new Map(), new Map()];
  const byNeed: Words = new Map();
  /** Folding takes most of the time, and texts share most of their words. */
  const folded = new Map<string, string>();

  function addWords(words: Words, text: string, id: string) {
    for (const typed of text.match(word) ?? []) {
      let key = folded.get(typed);
      if (key === undefined) {
        key = foldForSearch(typed);
        folded.set(typed, key);
      }
      addTo(words, key, id);
    }
  }

  function find(part: string, needs: readonly Need[]): { inTitle: Set<string>; anywhere: Set<string> } {
    const named = needs.filter(({ name }) => wordsIn(name).some((one) => one.startsWith(part)));
    const inTitle = addIdsIn(titles, part, new Set());
    for (const need of named) for (const id of byNeed.get(need.id) ?? []) inTitle.add(id);
    return { inTitle, anywhere: addIdsIn(texts, part, new Set(inTitle)) };
  }

  return {
    add(practice: { id: string; title: string; text: string; needs: readonly string[] }) {
      addWords(titles, practice.title, practice.id);
      addWords(texts, practice.text, practice.id);
      for (const need of practice.needs) addTo(byNeed, need, practice.id);
    },

    search(search: string, needs: readonly Need[]): SearchResult {
      const typed = wordsIn(search).filter((one) => one.length >= shortestWord);
      const telling = typed.filter((one) => !commonWords.has(one));
      const parts = (telling.length > 0 ? telling : typed).slice(0, mostWords);
      const [first, ...others] = parts.map((part) => find(part, needs));
      if (first === undefined) return { best: new Set(), all: new Set() };
      return others.reduce<SearchResult>(
        ({ best, all }, { inTitle, anywhere }) => ({
          best: inBoth(best, inTitle),
          all: inBoth(all, anywhere),
        }),
        { best: first.inTitle, all: first.anywhere },
      );
    },
  };
}

function addTo(words: Words, key: string, id: string) {
  const ids = words.get(key);
  if (ids) ids.add(id);
  else words.set(key, new Set([id]));
}

const inBoth = (ids: ReadonlySet<string>, others: ReadonlySet<string>) =>
  new Set([...ids].filter((id) => others.has(id)));

/** Adds the practices with a word that begins with `part` to `found`. */
function addIdsIn(words: Words, part: string, found: Set<string>): Set<string> {
  for (const [key, ids] of words) if (key.startsWith(part)) for (const id of ids) found.add(id);
  return found;
}
