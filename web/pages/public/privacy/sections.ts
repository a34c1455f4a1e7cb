import type { PracticesTexts, PrivacyTexts } from '#contract/site/content.ts';
import type { Identity } from '#contract/site/identity.ts';
import { softwareSections } from './software-sections.ts';

/** All sections of the privacy page. The id of a clinic's section comes from its title. */
export function privacySections(identity: Identity, { sections }: PrivacyTexts, practices: PracticesTexts) {
  const { first, last } = softwareSections(identity, practices);
  const taken = new Set([...first, ...last].map(({ id }) => id));
  const own = sections.map((section, index) => {
    const wanted = idFrom(section.title);
    const id = wanted === '' || taken.has(wanted) ? `${wanted || 'secao'}-${index + 1}` : wanted;
    taken.add(id);
    return { ...section, id };
  });
  return [...first, ...own, ...last];
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
