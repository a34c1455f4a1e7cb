/*
 * The parts of pages that a clinic can move and hide. This code is not in content.ts, because visitors'
 * browsers must not load the schema.
 */

/** The parts of the home page between its first screen and the contact, in their first order. */
export const homeParts = [
  'care',
  'doctor',
  'about',
  'steps',
  'fees',
  'resources',
  'listen',
  'faq',
  'newsletter',
] as const;
export type HomePart = (typeof homeParts)[number];

/** The parts of the page about the approach, below its heading. */
export const aboutParts = ['act', 'fap', 'together'] as const;
export type AboutPart = (typeof aboutParts)[number];

/** How a clinic arranges the parts of one page. An empty `order` is the order of the sample content. */
export type Arranged<Part extends string> = { order: Part[]; hidden: Part[] };

/** Lists all parts of a page in the clinic's order. A part that `order` lacks follows the part before it. */
export function orderedParts<Part extends string>({ order }: Arranged<Part>, all: readonly Part[]): Part[] {
  const parts = order.filter((part) => all.includes(part));
  for (const [place, part] of all.entries()) {
    const before = all[place - 1];
    if (!parts.includes(part)) parts.splice(before === undefined ? 0 : parts.indexOf(before) + 1, 0, part);
  }
  return parts;
}

/** Lists the parts of a page that visitors see, in the clinic's order. */
export const shownParts = <Part extends string>(arranged: Arranged<Part>, all: readonly Part[]): Part[] =>
  orderedParts(arranged, all).filter((part) => !arranged.hidden.includes(part));
