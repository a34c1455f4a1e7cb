import { diaryConsentWords, diaryTerms } from '#contract/diary/consent.ts';
import { client } from '#web/app/client.ts';
import { loadOffline } from '#web/app/load-offline.ts';
import { classNames } from '#web/components/class-names.ts';
import { describedBy, FieldError, type FieldState } from '#web/components/form/field.tsx';
import { OneButtonForm } from '#web/components/form/form.tsx';
import { Choice } from '#web/components/form/radio-group.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useFormState } from '#web/components/form/use-form-state.ts';
import { Link } from '#web/components/link.tsx';
import { usePatientUid } from './patient-page.tsx';
import styles from './start-diary.module.css';

const { facts, danger, adult, agreement } = diaryConsentWords;

const messages = {
  adult: 'O diário é só para quem tem 18 anos ou mais.',
  agreement: 'Marque a autorização para começar. Sem ela, nada é guardado.',
};

/**
 * Says how a diary is stored, and asks for the user's age and consent before the first entry. The server
 * keeps the same words.
 * @param onStarted called after the server has kept the consent
 */
export function StartDiary({ onStarted }: { onStarted: () => void }) {
  const uid = usePatientUid();
  const { withSession, signInAgain } = useSignInAgain();
  const form = useFormState({
    initial: { adult: '', agreement: '' },
    check: () => undefined,
    parse: (values) => {
      const missing = Object.entries(messages).filter(([name]) => !values[name as keyof typeof values]);
      return missing.length > 0 ? { errors: Object.fromEntries(missing) } : { input: undefined };
    },
    submit: async () => {
      await withSession(async () => (await client.diary(uid)).giveConsent(diaryTerms));
      // Without network, the form of an entry opens only after a consent.
      if (uid !== undefined) void (await loadOffline())?.keepDiary(uid).catch(() => {});
      onStarted();
    },
  });

  return (
    <section className={styles.start} aria-labelledby="comecar">
      <h2 id="comecar">Antes de começar</h2>
      <dl className={styles.facts}>
        {facts.map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.danger}>
        {danger.split(/(188|192)/).map((part) =>
          /^\d/.test(part) ? (
            <a key={part} href={`tel:${part}`}>
              {part}
            </a>
          ) : (
            part
          ),
        )}
      </p>
      <OneButtonForm form={form} submit="Começar meu diário" working="Começando…">
        <Agreement {...form.field('adult')}>{adult}</Agreement>
        <Agreement {...form.field('agreement')} isMarked>
          {agreement}
        </Agreement>
      </OneButtonForm>
      <p className={styles.more}>
        Mais em <Link to="/privacidade#diario">Privacidade</Link>.
      </p>
      {signInAgain}
    </section>
  );
}

/** A checkbox that must be checked. @param isMarked true for the box that stands out */
function Agreement({
  id,
  name,
  value,
  error,
  onValue,
  isMarked = false,
  children,
}: FieldState & { isMarked?: boolean; children: string }) {
  return (
    <div className={classNames(isMarked && styles.marked)}>
      <Choice
        type="checkbox"
        id={id}
        name={name}
        required
        checked={value !== ''}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy(id, { error })}
        onChange={({ target }) => onValue(target.checked ? 'on' : '')}
      >
        <span>{children}</span>
      </Choice>
      <FieldError id={id} error={error} />
    </div>
  );
}
