import type { ComponentProps, ReactNode } from 'react';
import { classNames } from '#web/components/class-names.ts';
import { describedBy, FieldError } from '#web/components/form/field.tsx';

import styles from './radio-group.module.css';

type GroupProps<Value> = {
  id: string;
  legend: string;
  hint?: ReactNode;
  options: readonly (readonly [value: Value, label: string])[];
  error: string | undefined;
};

/** Radio buttons for one of a few options. */
export function RadioGroup<Value extends string>({
  value,
  onValue,
  ...group
}: GroupProps<Value> & { value: string; onValue: (value: Value) => void }) {
  return (
    <Group
      {...group}
      controlOf={(option) => ({
        type: 'radio',
        name: group.id,
        checked: value === option,
        onChange: () => onValue(option),
      })}
    />
  );
}

/** Checkboxes for choosing any number of options. `onValues` receives the values in the options' order. */
export function CheckboxGroup<Value extends string>({
  values,
  onValues,
  ...group
}: GroupProps<Value> & { values: readonly string[]; onValues: (values: Value[]) => void }) {
  return (
    <Group
      {...group}
      controlOf={(option) => ({
        type: 'checkbox',
        checked: values.includes(option),
        'aria-invalid': group.error !== undefined,
        onChange({ target: { checked } }) {
          const all = group.options.map(([one]) => one);
          onValues(all.filter((one) => (one === option ? checked : values.includes(one))));
        },
      })}
    />
  );
}

function Group<Value extends string>({
  id,
  legend,
  hint,
  options,
  error,
  controlOf,
}: GroupProps<Value> & { controlOf: (option: Value) => ComponentProps<typeof Choice> }) {
  return (
    <fieldset className={styles.group} aria-describedby={describedBy(id, { hint, error })}>
      <legend>{legend}</legend>
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <div className={styles.options}>
        {options.map(([option, label], index) => (
          // The error summary links to the first control.
          <Choice key={option} id={index === 0 ? id : undefined} value={option} {...controlOf(option)}>
            {label}
          </Choice>
        ))}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  );
}

/** A checkbox or radio button with its label. */
export function Choice({
  type,
  children,
  className,
  ...input
}: ComponentProps<'input'> & { type: 'checkbox' | 'radio' }) {
  return (
    <label className={classNames(styles.choice, className)}>
      <input type={type} {...input} />
      {children}
    </label>
  );
}
