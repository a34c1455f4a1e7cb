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

/** The `<form>` of a `useForm`: what the last submit found wrong above its fields, its failure below them. */
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
  /** Beside the failure: what can be done about it. */
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

/** Says after a reload that nothing was lost. */
const Restored = ({ reason }: { reason: ReloadReason }) => (
  <Notice>
    {reason === 'deploy'
      ? 'O site foi atualizado e a página recarregou. O que você digitou continua aqui.'
      : 'A página recarregou. O que você digitou continua aqui.'}
  </Notice>
);

/** What a failed submit found, with a way to each field. Takes the focus every time it has something new. */
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
 * Says that it is at work, and keeps the focus meanwhile; `useForm` lets nothing through twice. In a finished page it
 * waits for the code that sends the form: the browser alone would leave the page with it.
 */
export function SubmitButton({
  pending,
  working,
  uploading = false,
  children,
}: {
  pending: boolean;
  /** What the button says while it works, as in "Entrando…". */
  working: string;
  /** A file of the form is not all there yet: it cannot be sent. */
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
