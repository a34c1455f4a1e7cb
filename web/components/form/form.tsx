import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from '../button.tsx';
import { ErrorText, FormMessage } from '../notice.tsx';
import { useHydrated } from '../use-hydrated.ts';
import styles from './form.module.css';
import type { FormProblem } from './use-form-state.ts';

type FormState = {
  props: Pick<ComponentProps<'form'>, 'ref' | 'noValidate' | 'method' | 'onSubmit'>;
  pending: boolean;
  problems: FormProblem[];
  message: string;
  onReload: (() => void) | undefined;
};

type FormProps = {
  form: FormState;
  children: ReactNode;
  /** Links that help with the error, shown after its message. */
  help?: ReactNode;
  /** The buttons. */
  actions: ReactNode;
};

/** The `<form>` for a `useForm`. The error summary is above the fields, the error message below them. */
export function Form({ form, children, help, actions }: FormProps) {
  return (
    <form {...form.props} className={styles.form}>
      <ErrorSummary problems={form.problems} />
      {children}
      <FormMessage message={form.message} onReload={form.onReload}>
        {help}
      </FormMessage>
      {actions}
    </form>
  );
}

/** A form whose only button submits it. */
export function OneButtonForm({
  submit,
  working,
  ...props
}: Omit<FormProps, 'actions'> & {
  /** The text of the button. */
  submit: string;
  /** The text of the button while the form is being sent, for example "Entrando…". */
  working: string;
}) {
  const button = (
    <SubmitButton pending={props.form.pending} working={working}>
      {submit}
    </SubmitButton>
  );
  return <Form {...props} actions={button} />;
}

/**
 * Shows the errors of a failed submit, with links to the fields. The summary gets the focus whenever the
 * errors change.
 */
export function ErrorSummary({ problems }: { problems: FormProblem[] }) {
  const titleId = useId();
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (problems.length > 0) box.current?.focus();
  }, [problems]);

  if (problems.length === 0) return null;
  return (
    <section ref={box} className={styles.summary} aria-labelledby={titleId} tabIndex={-1}>
      <h2 id={titleId}>{problems.length === 1 ? 'Confira este campo' : 'Confira estes campos'}</h2>
      <ul>
        {problems.map(({ id, message }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={(event) => {
                event.preventDefault();
                focusField(id);
              }}
            >
              <ErrorText message={message} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Moves the focus to a field, and opens the `<details>` elements that contain it. */
export function focusField(id: string) {
  const field = document.getElementById(id);
  for (let part = field?.closest('details'); part; part = part.parentElement?.closest('details'))
    part.open = true;
  field?.focus();
}

/**
 * A submit button. While the form is being sent, the button stays focusable, and `useForm` ignores a second
 * submit. Until hydration, the button is disabled: a click would make the browser itself submit the form.
 */
export function SubmitButton({
  pending,
  working,
  uploading = false,
  children,
}: {
  pending: boolean;
  /** The text of the button while the form is being sent. */
  working: string;
  /** True while a chosen file of the form is not stored yet. The form cannot be sent during this time. */
  uploading?: boolean;
  children: ReactNode;
}) {
  const scripted = useHydrated();
  return (
    <Button
      type="submit"
      className={styles.submit}
      disabled={!scripted || uploading}
      aria-disabled={pending || undefined}
    >
      {pending ? working : children}
    </Button>
  );
}
