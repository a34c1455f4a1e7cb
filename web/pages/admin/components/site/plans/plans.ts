import type { SectionName, SiteContent } from '#contract/site/content.ts';
import { home } from './home.ts';
import { identity } from './identity.ts';
import { about, member, practices, privacy, questions } from './other-pages.ts';
import type { Plan, PlanOf } from './plan.ts';

const plans: { [Name in SectionName]: PlanOf<SiteContent[Name]> } = {
  ...{ identity, home, about, practices, questions, member, privacy },
};

/** The plan of a section. */
export const planOf = (section: SectionName) => plans[section] as Plan;
