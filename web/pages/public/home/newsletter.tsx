import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { HomeTexts } from '#contract/site/content.ts';
import { loadClient } from '#web/app/api.ts';
import { reloadIfReplaced } from '#web/app/reload-after-deploy.ts';
import { useContent } from '#web/app/services.ts';
import { Button } from '#web/components/button.tsx';
import { describedBy, FieldError, TextField } from '#web/components/form/field.tsx';
import { useFormState } from '#web/components/form/use-form-state.ts';
import { Link } from '#web/components/link.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useHydrated } from '#web/components/use-hydrated.ts';
import { MailCheck } from './home-icons.tsx';
import styles from './newsletter.module.css';

/** The form for the monthly newsletter. */
export function Newsletter({ texts }: { texts: HomeTexts['newsletter'] }) {
  const identity = useContent('identity');
  const scripted = useHydrated();
  const [sentTo, setSentTo] = useState('');
  const sent = useRef<HTMLDivElement>(null);
  const form = useFormState({
    initial: { email: '', consent: '' },
    check: (name, value) => (name === 'email' && !isEmailAddress(value) ? messages.email : undefined),
    parse: ({ email, consent }) => {
      const errors = {
        ...(!isEmailAddress(email) && { email: messages.email }),
        ...(!consent && { consent: messages.consent }),
      };
      return Object.keys(errors).length > 0 ? { errors } : { input: email.trim() };
    },
    submit: async (email: string) => {
      await (await loadClient()).documents.subscribeToNewsletter(email);
      setSentTo(email);
    },
  });
  const { value: consent, onValue: setConsent, error: consentError, id: consentId } = form.field('consent');

  useEffect(() => {
    if (sentTo) sent.current?.focus();
  }, [sentTo]);
  // The form is short, so it has no summary of errors: focus the first wrong field instead.
  useEffect(() => {
    const [first] = form.problems;
    if (first) document.getElementById(first.id)?.focus();
  }, [form.problems]);

  if (sentTo) {
    return (
      <Panel texts={texts}>
        <div ref={sent} tabIndex={-1} role="status" className={styles.sent}>
          <MailCheck />
          <p>
            <strong>Falta só um passo.</strong> Enviamos uma mensagem para{' '}
            <span translate="no">{sentTo}</span>. Abra o link que está nela para confirmar. Se não chegar em
            alguns minutos, olhe na caixa de spam.
          </p>
        </div>
      </Panel>
    );
  }
  return (
    <Panel texts={texts}>
      <form
        {...form.props}
        className={styles.form}
        // On focus, load the code that sends the form, because a later deploy can remove that code.
        onFocus={() => void loadClient().catch(reloadIfReplaced)}
      >
        <TextField
          {...form.field('email')}
          type="email"
          label="Seu e-mail"
          autoComplete="email"
          inputMode="email"
        />
        <div>
          <label className={styles.consent}>
            <input
              id={consentId}
              type="checkbox"
              name="consent"
              required
              checked={consent !== ''}
              aria-invalid={consentError !== undefined}
              aria-describedby={describedBy(consentId, { error: consentError })}
              onChange={({ target }) => setConsent(target.checked ? target.value : '')}
            />
            <span>
              <span>{texts.consent}</span> <Link to="/privacidade#carta">Como cuidamos dos seus dados</Link>
            </span>
          </label>
          <FieldError id={consentId} error={consentError} />
        </div>
        <FormMessage message={form.message} onReload={form.onReload} />
        <div className={styles.scripted}>
          {/* Before hydration, a submit would leave the page and lose the input. */}
          <Button type="submit" variant="dark" disabled={!scripted} aria-disabled={form.pending || undefined}>
            {form.pending ? 'Enviando…' : 'Receber a carta'}
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

const messages = {
  email: 'Preencha um email válido.',
  consent: 'Marque a caixa para receber a carta.',
};

/**
 * Uses the browser's own validation, so that the home page does not load Zod. The server validates the email
 * address again, and only the mailed link confirms it.
 */
function isEmailAddress(value: string): boolean {
  const input = document.createElement('input');
  input.type = 'email';
  input.required = true;
  input.value = value;
  return input.validity.valid;
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
