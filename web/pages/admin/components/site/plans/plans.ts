import type { SectionName, SiteContent } from '#contract/site/content.ts';
import { adminParts } from '#contract/site/draft.ts';
import { arrangement } from './arrangement.ts';
import { diary } from './diary.ts';
import { home } from './home.ts';
import { identity } from './identity.ts';
import { about, member, practices, privacy, questions } from './other-pages.ts';
import type { Plan, PlanOf } from './plan.ts';

const plans: { [Name in SectionName]: PlanOf<SiteContent[Name]> } = {
  ...{ identity, home, about, practices, questions, member, diary, privacy, arrangement },
};

/** The plan of a section. */
export const planOf = (section: SectionName) => plans[section] as Plan;

/** The plan of a section for editors: without the fields that only admins change. */
export const editorsPlanOf = (section: SectionName) =>
  (adminParts[section] ?? []).reduce((plan, path) => withoutField(plan, path.split('.')), planOf(section));

function withoutField(plan: Plan, [key = '', ...rest]: string[]): Plan {
  const inner = plan.kind === 'group' ? plan.fields[key] : undefined;
  if (plan.kind !== 'group' || !inner) return plan;
  const next: Plan = rest.length > 0 ? withoutField(inner, rest) : { kind: 'hidden' };
  return { ...plan, fields: { ...plan.fields, [key]: next } };
}
