import type { Axis } from '#contract/axes.ts';
import { describedBy, FieldError, type FieldState } from '#web/components/form/field.tsx';
import { AxisIcon } from '#web/components/practice/practice-icons.tsx';
import { axisNames } from '#web/components/practice/practice-names.ts';
import styles from './axis.module.css';

/** Radio buttons for the axis of an activity. */
export function AxisChoice({
  id,
  name,
  value,
  error,
  onValue,
  offered,
}: FieldState & { offered: readonly Axis[] }) {
  return (
    <fieldset className={styles.choice} aria-describedby={describedBy(id, { error })}>
      <legend>Eixo</legend>
      <div className={styles.options}>
        {offered.map((axis, index) => (
          <label key={axis} className={styles.option} data-axis={axis}>
            <input
              // The error summary links to the first radio button.
              id={index === 0 ? id : undefined}
              type="radio"
              name={name}
              value={axis}
              checked={value === axis}
              required
              // Without `aria-invalid`, screen readers announce a required, unchecked button as invalid.
              aria-invalid={error !== undefined}
              onChange={() => onValue(axis)}
            />
            <AxisIcon axis={axis} />
            <span>{axisNames[axis]}</span>
          </label>
        ))}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  );
}

/** The icon and name of an axis, in its colour. */
export function AxisChip({ axis }: { axis: Axis }) {
  return (
    <span className={styles.chip} data-axis={axis}>
      <AxisIcon axis={axis} /> <span>{axisNames[axis]}</span>
    </span>
  );
}
