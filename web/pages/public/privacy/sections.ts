import type { PracticesTexts, PrivacyTexts } from '#contract/site/content.ts';
import type { Identity } from '#contract/site/identity.ts';
import { softwareSections } from './software-sections.ts';

/** All sections of the privacy page. The id of a clinic's section comes from its title. */
export function privacySections(identity: Identity, { sections }: PrivacyTexts, practices: PracticesTexts) {
  const { first, last } = softwareSections(identity, practices);
  const taken = new Set<string>();
  const own = sections.map((section) => {
    // The prefix keeps the id different from every id of the document, such as that of its data.
    const id = freeId(['clinica', idFrom(section.title)].filter(Boolean).join('-'), taken);
    taken.add(id);
    return { ...section, id };
  });
  return [...first, ...own, ...last];
}

/** Adds a number to an id that is taken. */
function freeId(wanted: string, taken: ReadonlySet<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
  return id;
}

/** Lower case letters and digits, with hyphens instead of everything else. */
const idFrom = (title: string) =>
  title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-');
