import { FieldError } from '#web/components/form/field.tsx';
import type { ChoicePlan } from '../plans/plan.ts';
import { fieldId, useSectionEditing } from '../section-editing.ts';
import { type Path, valueAt } from '../values.ts';
import styles from './choice-field.module.css';

/** One of a few options, as radio buttons. */
export function ChoiceField({ plan, path }: { plan: ChoicePlan; path: Path }) {
  const { content, change, errorAt } = useSectionEditing();
  const value = valueAt(content, path);
  const id = fieldId(path);
  return (
    <fieldset className={styles.choice}>
      <legend>{plan.label}</legend>
      <div className={styles.options}>
        {plan.options.map((option, index) => (
          <label key={option} className={styles.option}>
            <input
              id={index === 0 ? id : undefined}
              type="radio"
              name={id}
              value={option}
              checked={value === option}
              onChange={() => change(path, option)}
            />
            {option}
          </label>
        ))}
      </div>
      <FieldError id={id} error={errorAt(path)} />
    </fieldset>
  );
}
