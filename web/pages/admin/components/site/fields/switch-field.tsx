import { Choice } from '../../choice.tsx';
import type { SwitchPlan } from '../plans/plan.ts';
import { fieldId, useSectionEditing } from '../section-editing.ts';
import { type Path, valueAt } from '../values.ts';
import styles from './switch-field.module.css';

/** A checkbox for a part of the site that an admin can switch off. */
export function SwitchField({ plan, path }: { plan: SwitchPlan; path: Path }) {
  const { content, change } = useSectionEditing();
  const id = fieldId(path);
  return (
    <div className={styles.switch}>
      <Choice
        className={styles.label}
        id={id}
        type="checkbox"
        aria-describedby={plan.hint && `${id}-hint`}
        checked={valueAt(content, path) === true}
        onChange={({ target }) => change(path, target.checked)}
      >
        {plan.label}
      </Choice>
      {plan.hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {plan.hint}
        </p>
      )}
    </div>
  );
}
