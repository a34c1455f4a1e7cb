/**
 * Finds, in one line of a text, URLs and the marks of Markdown that texts may contain: `[words](https://…)`,
 * `**bold**` and `_italics_`. The groups are: URL; words and link; bold words; words in italics. Asterisks
 * and underscores inside words or beside spaces are no marks, so older texts look as before.
 */
export const inlineMarks =
  /(https?:\/\/[^\s<>"“”]+)|\[([^\][]+)\]\((https?:\/\/[^\s()]+)\)|(?<![\p{L}\p{N}*])\*\*([^\s*](?:[^*\n]*[^\s*])?)\*\*(?![\p{L}\p{N}*])|(?<![\p{L}\p{N}_])_([^\s_](?:[^_\n]*[^\s_])?)_(?![\p{L}\p{N}_])/giu;

/** Returns the words of a text without marks, for places that show plain words. */
export const withoutMarks = (text: string): string =>
  text.replaceAll(
    inlineMarks,
    (whole, url?: string, words?: string, _link?: string, bold?: string, italics?: string) =>
      url ? whole : (words ?? withoutMarks(bold ?? italics ?? '')),
  );
