import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';
import type { ReloadReason } from '#web/app/kept-fields.ts';
import { Button } from '../button.tsx';
import { Notice } from '../notice.tsx';
import { useHydrated } from '../use-hydrated.ts';
import styles from './form.module.css';
import { FormMessage } from './form-message.tsx';
import type { FormProblem } from './use-form.ts';

type FormState = {
  props: Pick<ComponentProps<'form'>, 'ref' | 'noValidate' | 'method' | 'onSubmit'>;
  problems: FormProblem[];
  message: string;
  onReload: (() => void) | undefined;
  restored: ReloadReason | undefined;
};

/** The `<form>` of a `useForm`: its error summary above the fields, its error message below them. */
export function Form({
  form,
  className = styles.form,
  children,
  ways,
  actions,
}: {
  form: FormState;
  className?: string;
  children: ReactNode;
  /** Actions next to the error message that help with it. */
  ways?: ReactNode;
  actions: ReactNode;
}) {
  return (
    <form {...form.props} className={className}>
      <ErrorSummary problems={form.problems} />
      {form.restored && <Restored reason={form.restored} />}
      {children}
      <FormMessage message={form.message} onReload={form.onReload}>
        {ways}
      </FormMessage>
      {actions}
    </form>
  );
}

/** Says after a reload that the fields kept their values. */
const Restored = ({ reason }: { reason: ReloadReason }) => (
  <Notice>
    {reason === 'deploy'
      ? 'O site foi atualizado e a página recarregou. O que você digitou continua aqui.'
      : 'A página recarregou. O que você digitou continua aqui.'}
  </Notice>
);

/**
 * The errors of a failed submit, with a link to each field. It takes the focus every time the errors change.
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
                document.getElementById(id)?.focus();
              }}
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * A submit button that shows when the form is being sent, and keeps the focus meanwhile. `useForm` ignores a
 * second submit.
 * In a prerendered page it is disabled until hydration: without code, the browser would leave the page.
 */
export function SubmitButton({
  pending,
  working,
  uploading = false,
  children,
}: {
  pending: boolean;
  /** The button's text while the form is being sent, as "Entrando…". */
  working: string;
  /** A file of the form is not uploaded yet: the form cannot be sent. */
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
