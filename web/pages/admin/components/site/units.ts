import type { FieldIssue } from '#contract/errors.ts';
import { type Arranged, orderedParts } from '#contract/site/parts.ts';
import { type AnyGroup, type AnyList, optionLabel, type PartsPlan, type Plan } from './plans/plan.ts';
import { blocksText, isSame, type Path, valueAt } from './values.ts';

/** The smallest part that a comparison of two versions shows: a field, or a list with all its items. */
export type Unit = {
  path: Path;
  /** The labels on the path to the field, for example "Abertura, Apresentação". */
  label: string;
  /** If present, the value is shown as a picture or in an audio player, not as text. */
  file?: 'image' | 'audio';
};

/** In a section with at least this many groups, each group is a part that the user opens and closes. */
const manyGroups = 3;

/** The parts of a section, by their keys; `undefined` for a section with few groups. */
export function partsOf(plan: Plan): Record<string, AnyGroup> | undefined {
  if (plan.kind !== 'group') return undefined;
  const groups = Object.entries(plan.fields).filter(
    (one): one is [string, AnyGroup] => one[1].kind === 'group',
  );
  return groups.length < manyGroups ? undefined : Object.fromEntries(groups);
}

/** Lists the units of a section whose values differ between two versions of its content. */
export const changedUnits = (plan: Plan, one: unknown, other: unknown): Unit[] =>
  unitsOf(plan).filter(({ path }) => !isSame(valueAt(one, path), valueAt(other, path)));

/** The value of a unit as text. */
export function unitText(plan: Plan, content: unknown, { path }: Unit): string {
  const inner = planAt(plan, path);
  return inner === undefined ? '' : textOf(inner, valueAt(content, path));
}

/** The summary of a list's closed item: the first line of its text, and its switches that are on. */
export function summaryOf({ item: plan }: AnyList, item: unknown): string {
  const [first = ''] = textOf(plan, item).split('\n');
  const switches = plan.kind === 'group' ? Object.entries(plan.fields) : [];
  const on = switches.filter(([key, { kind }]) => kind === 'switch' && valueAt(item, [key]) === true);
  return [first, ...on.flatMap(([, inner]) => ownLabel(inner))].filter(Boolean).join(' · ');
}

/** The path of the field that shows the value at `path`. A field for several texts has a shorter path. */
export function fieldPath(plan: Plan, [key, ...rest]: Path): Path {
  const inner = key === undefined ? undefined : planAt(plan, [key]);
  return key === undefined || inner === undefined ? [] : [key, ...fieldPath(inner, rest)];
}

/** Lists the fields with problems, in the order of the problems; each field once, with its first problem. */
export function fieldsWithProblems(plan: Plan, problems: FieldIssue[]): (FieldIssue & { place: Path })[] {
  const found = problems.map((problem) => ({ ...problem, place: fieldPath(plan, pathOf(problem)) }));
  return found.filter(({ place }, index) => found.findIndex((one) => isSame(one.place, place)) === index);
}

/** Parses the path of a problem, which is a string such as `address.0`. */
export const pathOf = ({ path }: FieldIssue): Path => (path === '' ? [] : path.split('.'));

/** The labels on the path to the field at `path`, for example "Abertura, Apresentação". */
export function labelAt(plan: Plan, path: Path): string {
  return labelsAt(plan, path).slice(1).join(', ') || labelsAt(plan, path).join('');
}

function unitsOf(plan: Plan, path: Path = [], labels: string[] = []): Unit[] {
  const label = labels.join(', ');
  switch (plan.kind) {
    case 'hidden':
      return [];
    case 'file':
      return [{ path, label, file: plan.file }];
    case 'group':
      return Object.entries(plan.fields).flatMap(([key, inner]) =>
        unitsOf(inner, [...path, key], [...labels, ...ownLabel(inner)]),
      );
    case 'list':
      return [{ path, label: label || plan.label }];
    default:
      return [{ path, label }];
  }
}

const ownLabel = (plan: Plan) => (plan.kind === 'hidden' ? [] : [plan.label]);

function planAt(plan: Plan, [key, ...rest]: Path): Plan | undefined {
  if (key === undefined) return plan;
  const inner = plan.kind === 'group' ? plan.fields[key] : plan.kind === 'list' ? plan.item : undefined;
  return inner && planAt(inner, rest);
}

function labelsAt(plan: Plan, [key, ...rest]: Path): string[] {
  const own = ownLabel(plan);
  if (key === undefined) return own;
  if (plan.kind === 'group') {
    const inner = plan.fields[key];
    return inner ? [...own, ...labelsAt(inner, rest)] : own;
  }
  if (plan.kind !== 'list') return own;
  const inner = labelsAt(plan.item, rest);
  // An item's label is the noun of its list with the item's number, for example "pergunta 2".
  return [...own, `${plan.noun} ${Number(key) + 1}`, ...inner.slice(1)];
}

const partsText = ({ parts, labelOf }: PartsPlan, arranged: Arranged<string>) =>
  orderedParts(arranged, parts)
    .map((part) => `${labelOf(part)}${arranged.hidden.includes(part) ? ' (não aparece)' : ''}`)
    .join('\n');

function textOf(plan: Plan, value: unknown): string {
  if (plan.kind === 'switch') return value === false ? 'Não' : 'Sim';
  if (value === undefined || plan.kind === 'hidden') return '';
  if (typeof value === 'string') {
    if (plan.kind === 'choice') return optionLabel(plan, value);
    return (plan.kind === 'text' && plan.shown?.(value)) || value;
  }
  switch (plan.kind) {
    case 'lines':
      return (value as string[]).join(plan.separator);
    case 'choices':
      return (value as string[]).map((option) => optionLabel(plan, option)).join(', ');
    case 'blocks':
      return blocksText.format(value as string[]);
    case 'parts':
      return partsText(plan, value as Arranged<string>);
    case 'confirmed':
      return (value as string[]).map(plan.labelOf).join('\n');
    case 'group':
      return Object.entries(plan.fields)
        .map(([key, inner]) => {
          const part = valueAt(value, [key]);
          // Beside other texts, "Sim" would not say what is on.
          return inner.kind === 'switch' ? part && inner.label : textOf(inner, part);
        })
        .filter(Boolean)
        .join('\n');
    case 'list':
      return (value as unknown[]).map((item) => textOf(plan.item, item)).join('\n\n');
    default:
      return '';
  }
}
