import type { ComponentProps, FocusEvent, ReactNode } from 'react';
import { CircleAlert, ErrorText } from '../notice.tsx';
import styles from './field.module.css';

/** The props that `useForm().field(name)` returns. */
export type FieldState = {
  id: string;
  name: string;
  value: string;
  error: string | undefined;
  onValue: (value: string) => void;
  onLeave: (event: FocusEvent) => void;
};

type FieldProps = {
  label: string;
  hint?: ReactNode;
  /** A link below the field, for example "Esqueceu a senha?". */
  aside?: ReactNode;
  /** Information below the field that is not an error. Screen readers announce it when it appears. */
  note?: ReactNode;
  required?: boolean;
};

export type InputProps = FieldState &
  FieldProps &
  Pick<ComponentProps<'input'>, 'autoComplete' | 'inputMode'>;

/** A field: label, hint, input, error and note, in reading order. */
export function FieldLayout({ id, label, hint, aside, error, input, note }: FieldLayoutProps) {
  return (
    <div className={styles.field} data-invalid={error ? '' : undefined}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {input}
      <FieldError id={id} error={error} />
      {aside && <p className={styles.aside}>{aside}</p>}
      {note !== undefined && (
        <p className={styles.note} role="status">
          {note}
        </p>
      )}
    </div>
  );
}
type FieldLayoutProps = FieldProps & { id: string; error: string | undefined; input: ReactNode };

/**
 * The error message of a field. `describedBy` returns the id of the message. With the role `alert`, screen
 * readers announce the message immediately.
 */
export function FieldError({ id, error, role }: FieldErrorProps) {
  if (!error) return null;
  return (
    <p className={styles.error} id={id && `${id}-error`} role={role}>
      <CircleAlert />
      <span>
        <ErrorText message={error} />
      </span>
    </p>
  );
}
type FieldErrorProps = { id?: string; error: string | undefined; role?: 'alert' };

/** Returns the ids of a field's hint and error, for `aria-describedby`. */
export const describedBy = (id: string, { hint, error }: { hint?: ReactNode; error?: string | undefined }) =>
  [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;

/** Returns the props that are the same for the controls of all fields. */
export function controlProps({
  id,
  name,
  value,
  error,
  onValue,
  onLeave,
  hint,
  required = true,
}: FieldState & FieldProps) {
  return {
    id,
    name,
    value,
    required,
    className: styles.input,
    'aria-invalid': error !== undefined,
    'aria-describedby': describedBy(id, { hint, error }),
    onChange: (event: { target: { value: string } }) => onValue(event.target.value),
    onBlur: onLeave,
  };
}

/** A field for one line of text. */
export function TextField({
  type = 'text',
  autoComplete,
  inputMode,
  ...field
}: InputProps & { type?: 'text' | 'email' | 'url' | 'tel' | 'date' | 'time' }) {
  return (
    <FieldLayout
      {...field}
      input={<input {...controlProps(field)} type={type} autoComplete={autoComplete} inputMode={inputMode} />}
    />
  );
}

/** A field for text of several lines. With `autoComplete="off"`, neither browser nor site keeps the text. */
export function TextAreaField({ rows, autoComplete, ...field }: InputProps & { rows: number }) {
  return (
    <FieldLayout
      {...field}
      input={<textarea {...controlProps(field)} rows={rows} autoComplete={autoComplete} />}
    />
  );
}
