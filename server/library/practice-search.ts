import type { Need } from '#contract/practices/needs.ts';
import { foldForSearch } from '#contract/text.ts';

/** The texts of a practice that searches read, as `searchKey` returns them. */
export type SearchedPractice = { title: string; text: string; needs: readonly string[] };

/** How well a practice matches a search. `title` also means that the name of a need matches. */
export type SearchMatch = 'title' | 'text' | 'none';

/** Portuguese words that are in nearly every sentence, folded. They say nothing about what a visitor needs. */
const commonWords = new Set(
  'a ao as com como consigo da das de do dos e em eu me meu minha na nao no nos o os ou para por pra pratica praticas que quero se sem um uma'.split(
    ' ',
  ),
);

/** Folds a text to words with a space before each. So ` ${word}` finds words that begin with `word`. */
export function searchKey(text: string): string {
  const words = foldForSearch(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words === '' ? '' : ` ${words}`;
}

/**
 * Compiles a search. A practice matches if each word of the search begins a word of its title, of its text or
 * of the name of one of its needs.
 */
export function compileSearch(
  search: string,
  needs: readonly Need[],
): (practice: SearchedPractice) => SearchMatch {
  const typed = searchKey(search).split(' ').filter(Boolean);
  const telling = typed.filter((word) => !commonWords.has(word));
  const wanted = (telling.length > 0 ? telling : typed).map((word) => ({
    part: ` ${word}`,
    needs: needs.filter(({ name }) => searchKey(name).includes(` ${word}`)).map(({ id }) => id),
  }));
  return (practice) => {
    const inTitle = ({ part, needs: ids }: (typeof wanted)[number]) =>
      practice.title.includes(part) || ids.some((id) => practice.needs.includes(id));
    if (wanted.length === 0) return 'none';
    if (wanted.every(inTitle)) return 'title';
    return wanted.every((word) => inTitle(word) || practice.text.includes(word.part)) ? 'text' : 'none';
  };
}
