import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { ClientError } from '#client/client-error.ts';
import { identity } from '#clinic/identity.ts';
import type { HomeTexts } from '#clinic/schema.ts';
import { keepFields, takeFields } from '#web/app/kept-fields.ts';
import { isCodeMissing, reloadIfReplaced } from '#web/app/reload-after-deploy.ts';
import { useServices } from '#web/app/services-context.ts';
import { Button } from '#web/components/button.tsx';
import { FieldError, TextField } from '#web/components/form/field.tsx';
import { FormMessage } from '#web/components/form/form-message.tsx';
import { Link } from '#web/components/link.tsx';
import { useHydrated } from '#web/components/use-hydrated.ts';
import { MailCheck } from './home-icons.tsx';
import styles from './newsletter.module.css';

const wrongAddress = 'Preencha um email válido.';

type Errors = { email?: string; consent?: string };

/**
 * The form for the monthly newsletter.
 * The browser's own validation of the address is enough: the server validates again, and only the mailed link
 * confirms the address.
 */
export function Newsletter({ texts }: { texts: HomeTexts['newsletter'] }) {
  const { client } = useServices();
  const scripted = useHydrated();
  const [email, setEmail] = useState('');
  const [errors, setErrors] = useState<Errors>({});
  const [state, setState] = useState<'open' | 'sending' | 'sent'>('open');
  const [failure, setFailure] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef<HTMLDivElement>(null);
  const id = useId();

  useEffect(() => {
    if (state === 'sent') sent.current?.focus();
  }, [state]);
  useEffect(() => {
    // The value that the user typed, or the browser filled in, before hydration.
    const field = form.current?.elements.namedItem('email');
    if (field instanceof HTMLInputElement && field.value !== '') setEmail(field.value);
  }, []);

  useEffect(() => {
    const before = takeFields('newsletter')?.fields;
    const consent = form.current?.elements.namedItem('consent');
    if (before?.email) setEmail(before.email);
    if (before && consent instanceof HTMLInputElement) consent.checked = before.consent === 'on';
    return keepFields('newsletter', () => {
      const data = form.current && new FormData(form.current);
      return { email: String(data?.get('email') ?? ''), consent: String(data?.get('consent') ?? '') };
    });
  }, []);

  /** The browser's validation of the fields. */
  const inputs = () => ({
    email: form.current?.elements.namedItem('email') as HTMLInputElement,
    consent: form.current?.elements.namedItem('consent') as HTMLInputElement,
  });

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (state === 'sending') return;
    const { email: address, consent } = inputs();
    const found: Errors = {
      ...(!address.validity.valid && { email: wrongAddress }),
      ...(!consent.checked && { consent: 'Marque a caixa para receber a carta.' }),
    };
    setErrors(found);
    if (found.email) return address.focus();
    if (found.consent) return consent.focus();
    setState('sending');
    setFailure('');
    try {
      await client.documents.subscribeToNewsletter(email.trim());
      setState('sent');
    } catch (error) {
      if (isCodeMissing(error) && (await reloadIfReplaced())) return;
      setState('open');
      const known = error instanceof ClientError ? error : undefined;
      const refused = known?.issues.find(({ path }) => path === 'email');
      if (refused) {
        setErrors({ email: refused.message });
        return address.focus();
      }
      if (!known) console.error(error);
      setFailure(known?.message ?? 'Algo deu errado. Tente de novo em instantes.');
    }
  }

  /** Reports an invalid address when the field loses focus. Only a submit requires an empty one. */
  function checkAddress() {
    if (email !== '' && !inputs().email.validity.valid) {
      setErrors((before) => ({ ...before, email: wrongAddress }));
    }
  }

  if (state === 'sent') {
    return (
      <Panel texts={texts}>
        <div ref={sent} tabIndex={-1} role="status" className={styles.sent}>
          <MailCheck />
          <p>
            <strong>Falta só um passo.</strong> Enviamos uma mensagem para {email}. Abra o link que está nela
            para confirmar. Se não chegar em alguns minutos, olhe na caixa de spam.
          </p>
        </div>
      </Panel>
    );
  }
  return (
    <Panel texts={texts}>
      <form
        ref={form}
        className={styles.form}
        method="post"
        noValidate
        // Load the code that sends the form now, so that a later deploy cannot remove it.
        onFocus={() => void client.prepare().catch(() => {})}
        onSubmit={submit}
      >
        <TextField
          id={`${id}-email`}
          name="email"
          type="email"
          label="Seu e-mail"
          autoComplete="email"
          inputMode="email"
          value={email}
          error={errors.email}
          onValue={(value) => {
            setEmail(value);
            setErrors(({ email: _, ...rest }) => rest);
          }}
          onLeave={checkAddress}
        />
        <div>
          <label className={styles.consent}>
            <input
              type="checkbox"
              name="consent"
              required
              aria-invalid={errors.consent !== undefined}
              aria-describedby={errors.consent && `${id}-consent-error`}
              onChange={() => setErrors(({ consent: _, ...rest }) => rest)}
            />
            <span>
              {texts.consent} <Link to="/privacidade#carta">Como cuidamos dos seus dados</Link>
            </span>
          </label>
          <FieldError id={`${id}-consent`} error={errors.consent} />
        </div>
        <FormMessage message={failure} />
        <div className={styles.scripted}>
          {/* Without this code, the browser would leave the page and lose the input. */}
          <Button
            type="submit"
            variant="dark"
            disabled={!scripted}
            aria-disabled={state === 'sending' || undefined}
          >
            {state === 'sending' ? 'Enviando…' : 'Receber a carta'}
          </Button>
        </div>
        <noscript>
          <p>
            Sem JavaScript este formulário não funciona. Escreva para{' '}
            <a href={`mailto:${identity.email}`}>{identity.email}</a> e pedimos a sua confirmação por lá.
          </p>
        </noscript>
      </form>
    </Panel>
  );
}

function Panel({ texts, children }: { texts: HomeTexts['newsletter']; children: ReactNode }) {
  return (
    <section className={styles.panel} id="carta" aria-labelledby="carta-titulo">
      <h2 id="carta-titulo">{texts.title}</h2>
      <p className={styles.lead}>{texts.lead}</p>
      {children}
    </section>
  );
}
