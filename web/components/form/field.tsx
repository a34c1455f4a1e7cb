import type { ComponentProps, FocusEvent, ReactNode } from 'react';
import { CircleAlert } from '../icons.tsx';
import styles from './field.module.css';

/** The return value of `useForm().field(name)`, for a field. */
export type FieldState = {
  id: string;
  name: string;
  value: string;
  error: string | undefined;
  onValue: (value: string) => void;
  onLeave: (event: FocusEvent) => void;
};

type FrameProps = {
  label: string;
  hint?: ReactNode;
  /** A link or text next to the label, as "Esqueceu a senha?". */
  aside?: ReactNode;
  /** Useful information that is not an error: shown below the field and announced when it appears. */
  note?: ReactNode;
  required?: boolean;
};

export type InputProps = FieldState &
  FrameProps &
  Pick<ComponentProps<'input'>, 'autoComplete' | 'inputMode'>;

/** The layout of a field: label, hint, input, then error, in reading order. */
export function FieldFrame({ id, label, hint, aside, error, input, note }: FieldFrameProps) {
  return (
    <div className={styles.field} data-invalid={error ? '' : undefined}>
      {aside ? (
        <div className={styles.row}>
          <label className={styles.label} htmlFor={id}>
            {label}
          </label>
          {aside}
        </div>
      ) : (
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
      )}
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {input}
      <FieldError id={id} error={error} />
      {note !== undefined && (
        <p className={styles.note} role="status">
          {note}
        </p>
      )}
    </div>
  );
}
type FieldFrameProps = FrameProps & { id: string; error: string | undefined; input: ReactNode };

/** The error message of a field; `describedBy` refers to its id. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  if (!error) return null;
  return (
    <p className={styles.error} id={`${id}-error`}>
      <CircleAlert /> {error}
    </p>
  );
}

/** The ids of a field's hint and error, for `aria-describedby`. */
export const describedBy = (id: string, { hint, error }: { hint?: ReactNode; error?: string | undefined }) =>
  [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;

/** The props that the controls of all fields share. */
export function controlProps({
  id,
  name,
  value,
  error,
  onValue,
  onLeave,
  hint,
  required = true,
}: FieldState & FrameProps) {
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

export function TextField({
  type = 'text',
  autoComplete,
  inputMode,
  ...field
}: InputProps & { type?: 'text' | 'email' | 'url' }) {
  return (
    <FieldFrame
      {...field}
      input={<input {...controlProps(field)} type={type} autoComplete={autoComplete} inputMode={inputMode} />}
    />
  );
}
