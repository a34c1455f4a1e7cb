import { type ReactNode, useId } from 'react';
import styles from './chips.module.css';

/** Buttons that are on or off, for words, steps of a scale and practices. */
export function Chips<Value extends string | number>({
  legend,
  hint,
  options,
  isOn,
  onToggle,
  large = false,
  children,
}: {
  legend: ReactNode;
  hint?: ReactNode;
  options: readonly (readonly [value: Value, label: string])[];
  isOn: (value: Value) => boolean;
  onToggle: (value: Value) => void;
  large?: boolean;
  /** What follows the buttons. */
  children?: ReactNode;
}) {
  const hintId = useId();
  return (
    <fieldset className={styles.group} aria-describedby={hint ? hintId : undefined}>
      <legend className={large ? styles.question : undefined}>{legend}</legend>
      {hint && (
        <p className={styles.hint} id={hintId}>
          {hint}
        </p>
      )}
      <div className={styles.chips} data-large={large ? '' : undefined}>
        {options.map(([value, label]) => (
          <button key={value} type="button" aria-pressed={isOn(value)} onClick={() => onToggle(value)}>
            <span>{label}</span>
          </button>
        ))}
      </div>
      {children}
    </fieldset>
  );
}
