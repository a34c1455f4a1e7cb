/** Titles, which are not part of the name itself. */
const title = /^(?:dra?|sra?|srta|profa?|prof[ªº]|enf|psic|dona|seu|d)\.?$/i;

function partsOf(name: string): { titles: string[]; names: string[] } {
  const words = name.trim().split(/\s+/);
  const first = words.findIndex((word) => !title.test(word));
  // If all words are titles, use them as the name.
  return first === -1
    ? { titles: [], names: words }
    : { titles: words.slice(0, first), names: words.slice(first) };
}

/** `Maria da Silva` becomes `Maria`, and `Dra. Helena Prado` becomes `Dra. Helena`. */
export function shortName(name: string): string {
  const { titles, names } = partsOf(name);
  return [...titles, names[0]].join(' ');
}

/**
 * `Maria da Silva` becomes `MS`, and `Dra. Helena Prado` becomes `HP`. Quotation marks, parentheses and other
 * signs are left out: `"Zé" Santos` becomes `ZS`.
 */
export function initialsOf(name: string): string {
  const { names } = partsOf(name);
  const initials = names.flatMap((word) => /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? []);
  const ends = initials.length > 1 ? [initials[0], initials.at(-1)] : [initials[0] ?? [...name.trim()][0]];
  return ends.join('').toLocaleUpperCase('pt-BR');
}
