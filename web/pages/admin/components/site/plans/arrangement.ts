import type { Arrangement, SectionName } from '#contract/site/content.ts';
import { aboutParts, homeParts } from '#contract/site/parts.ts';
import { sections } from '../sections.ts';
import { home } from './home.ts';
import { about } from './other-pages.ts';
import type { GroupPlan, PlanOf } from './plan.ts';

const homeLabel = (part: string) => labelIn(home, part);
const aboutLabel = (part: string) => labelIn(about, part);

export const arrangement: PlanOf<Arrangement> = {
  kind: 'group',
  label: sections.arrangement.label,
  fields: {
    home: {
      kind: 'parts',
      label: sections.home.label,
      hint: 'A abertura fica sempre no começo, e o contato, no fim. A ajuda em uma crise nunca se esconde.',
      parts: homeParts,
      page: sections.home.page,
      labelOf: homeLabel,
    },
    about: {
      kind: 'parts',
      label: sections.about.label,
      hint: 'O título e a abertura da página ficam sempre no começo.',
      parts: aboutParts,
      page: sections.about.page,
      labelOf: aboutLabel,
    },
    confirmed: {
      kind: 'confirmed',
      label: 'Exemplos que ficam',
      hint: 'O que a clínica leu e deixou como estava no exemplo.',
      labelOf(name) {
        const [section = '', part] = name.split('.');
        const { label } = sections[section as SectionName] ?? { label: section };
        if (part === undefined) return label;
        return `${label}, ${section === 'home' ? homeLabel(part) : aboutLabel(part)}`;
      },
    },
  },
};

function labelIn<Page>({ fields }: GroupPlan<Page>, part: string): string {
  const plan = (fields as Record<string, { label?: string }>)[part];
  return plan?.label ?? part;
}
