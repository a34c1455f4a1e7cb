import { withoutMarks } from '../markup/text-marks.ts';

/** The maximum number of characters of an activity's text in a list of practices. */
export const excerptMaxLength = 160;

/** The maximum number of characters that search engines and chats show below a title. */
const descriptionMaxLength = 155;

/** Returns the beginning of a text: whole words without marks, and an ellipsis if the text is longer. */
export function excerptOf(text: string, maxLength = excerptMaxLength): string {
  const all = withoutMarks(text).trim();
  if (all.length <= maxLength) return all;
  // One character is for the ellipsis. The space after the last word may follow it.
  const longest = all.slice(0, maxLength);
  const cut = longest.search(/\s\S*$/);
  const words = cut > 0 ? longest.slice(0, cut) : longest.slice(0, -1).replace(/[\uD800-\uDBFF]$/, '');
  return `${words.trimEnd().replace(/[,.;:]$/, '')}…`;
}

/** True if an excerpt is not the whole text. */
export const isCut = (excerpt: string) => excerpt.endsWith('…');

/** The beginning of a practice's text on one line, as search engines and chats show it. */
export const descriptionOf = (content: string) =>
  excerptOf(content.replace(/\s+/g, ' '), descriptionMaxLength);
