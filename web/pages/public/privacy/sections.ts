import type { PracticesTexts, PrivacyTexts } from '#contract/site/content.ts';
import type { Identity } from '#contract/site/identity.ts';
import { softwareSections } from './software-sections.ts';

/** Returns all sections of the privacy page. The ids of the clinic's own sections come from their titles. */
export function privacySections(identity: Identity, { sections }: PrivacyTexts, practices: PracticesTexts) {
  const { first, last } = softwareSections(identity, practices);
  const taken = new Set<string>();
  const own = sections.map((section) => {
    // The prefix avoids a collision with the document's other ids, for example those of its JSON data.
    const id = freeId(['clinica', idFrom(section.title)].filter(Boolean).join('-'), taken);
    taken.add(id);
    return { ...section, id };
  });
  return [...first, ...own, ...last];
}

/** Returns the wanted id, with a number appended if another section already has that id. */
function freeId(wanted: string, taken: ReadonlySet<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
  return id;
}

/** Converts a title to lower case without accents; hyphens replace all other characters. */
const idFrom = (title: string) =>
  title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-');
