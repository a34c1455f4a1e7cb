import { CheckboxGroup, RadioGroup } from '../../radio-group.tsx';
import { type ChoicePlan, type ChoicesPlan, optionLabel } from '../plans/plan.ts';
import { fieldId, useSectionEditing } from '../section-editing.ts';
import { type Path, valueAt } from '../values.ts';

/** A field for choosing one option, as radio buttons. */
export function ChoiceField({ plan, path }: { plan: ChoicePlan; path: Path }) {
  const { content, change, errorAt } = useSectionEditing();
  return (
    <RadioGroup
      id={fieldId(path)}
      legend={plan.label}
      value={String(valueAt(content, path))}
      options={optionsOf(plan)}
      error={errorAt(path)}
      onValue={(option) => change(path, option)}
    />
  );
}

/** A field for choosing any number of options, as checkboxes. */
export function ChoicesField({ plan, path }: { plan: ChoicesPlan; path: Path }) {
  const { content, change, errorAt, leave } = useSectionEditing();
  return (
    <CheckboxGroup
      id={fieldId(path)}
      legend={plan.label}
      values={valueAt(content, path) as string[]}
      options={optionsOf(plan)}
      error={errorAt(path)}
      onValues={(options) => {
        change(path, options);
        leave(path);
      }}
    />
  );
}

const optionsOf = (plan: ChoicePlan | ChoicesPlan) =>
  plan.options.map((option) => [option, optionLabel(plan, option)] as const);
