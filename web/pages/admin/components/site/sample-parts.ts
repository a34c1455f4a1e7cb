import type { Arrangement } from '#contract/site/content.ts';
import type { DraftSection, SiteDraft } from '#contract/site/draft.ts';
import { openSamples } from '#contract/site/untouched.ts';
import type { Plan } from './plans/plan.ts';
import { planOf } from './plans/plans.ts';
import { fieldPath, labelAt, partsOf, summaryOf } from './units.ts';
import { type Path, valueAt } from './values.ts';

export const arrangementSection = ({ sections }: SiteDraft) =>
  sections.find(({ section }) => section === 'arrangement') as DraftSection<'arrangement'>;
export const arrangementOf = (draft: SiteDraft): Arrangement => arrangementSection(draft).content;

/** A part of a section with fields that are still the sample. An admin can confirm the part as it is. */
export type SamplePart = {
  /** The key of the group; empty for the fields outside groups, and for a section without groups. */
  key: string;
  label: string;
  /** The fields, in the order of the form. */
  fields: Path[];
  /**
   * The labels of the fields, or of the groups and lists that contain them, each once. In a section that is a
   * list, the summaries of the items.
   */
  titles: string[];
  /** What a confirmation adds to `confirmed`; empty if the clinic must replace all of the fields. */
  names: string[];
};

/**
 * Lists the parts of a section that "Ainda é o exemplo" marks.
 * @param content the content that the form shows
 */
export function samplePartsOf(
  { section, sample }: Pick<DraftSection, 'section' | 'sample'>,
  content: unknown,
  arrangement: Arrangement,
): SamplePart[] {
  const plan = planOf(section);
  const groups = partsOf(plan);
  const found = openSamples(section, { content, sample, arrangement });
  const parts = new Map<string, { paths: string[]; names: Set<string> }>();
  for (const path of found) {
    const [first = ''] = path.split('.');
    const key = groups?.[first] ? first : '';
    const part = parts.get(key) ?? { paths: [], names: new Set() };
    part.paths.push(path);
    part.names.add(groups ? `${section}.${first}` : section);
    parts.set(key, part);
  }
  return [...parts].map(([key, { paths, names }]) => {
    const confirmed = [...arrangement.confirmed, ...names];
    const left = openSamples(section, { content, sample, arrangement: { ...arrangement, confirmed } });
    return {
      key,
      label: groups?.[key]?.label ?? '',
      fields: paths.map((path) => fieldPath(plan, path === '' ? [] : path.split('.'))),
      titles: titlesOf(plan, content, paths, key === '' ? 1 : 2),
      names: paths.every((path) => left.includes(path)) ? [] : [...names],
    };
  });
}

/** The titles of the values at these paths (`SamplePart`). */
function titlesOf(plan: Plan, content: unknown, paths: string[], depth: number): string[] {
  const titles = paths.map((path) => {
    const place = path.split('.').slice(0, depth);
    if (plan.kind === 'list') return `“${summaryOf(plan, valueAt(content, place))}”`;
    return labelAt(plan, place)
      .split(', ')
      .slice(depth - 1)
      .join(', ');
  });
  return [...new Set(titles)];
}

/** The most titles that a sentence names. */
const mostNamed = 5;

/** Names what is still the sample in a part, for example "Título, Texto e mais 3". */
export function fieldNames({ titles }: SamplePart): string {
  const names = titles.slice(0, mostNamed);
  const more = titles.length - names.length;
  return more > 0 ? `${names.join(', ')} e mais ${more}` : names.join(', ');
}
