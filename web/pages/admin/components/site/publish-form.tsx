import { type FormEvent, useId, useState } from 'react';
import { useRevalidator } from 'react-router';
import { hasCode } from '#client/client-error.ts';
import { limits } from '#contract/limits.ts';
import type { SiteDraft } from '#contract/site/draft.ts';
import { client } from '#web/app/client.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { TextField } from '#web/components/form/field.tsx';
import { SubmitButton } from '#web/components/form/form.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { FormMessage, Notice } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';
import { planOf } from './plans/plans.ts';
import styles from './publish-form.module.css';
import { sections } from './sections.ts';
import { labelAt } from './units.ts';
import { isSame } from './values.ts';

/** The warnings that the admin confirms one by one, an optional note, and the button that publishes. */
export function PublishForm({ draft }: { draft: SiteDraft }) {
  const { revalidate } = useRevalidator();
  const action = useAction();
  const { withSession, signInAgain } = useSignInAgain();
  const noteId = useId();
  const [note, setNote] = useState('');
  const [confirmed, setConfirmed] = useState<ReadonlySet<string>>(new Set());
  const [reminder, setReminder] = useState('');
  const [overtaken, setOvertaken] = useState<Overtaken>();
  // A text that contains the same words twice causes two equal warnings. One confirmation is enough for them.
  const warnings = draft.warnings.filter(
    (warning, index, all) => all.findIndex((other) => isSame(other, warning)) === index,
  );
  const noteError = note.trim().length > limits.titleMaxLength ? `Até ${limits.titleMaxLength} letras.` : '';
  const allConfirmed = warnings.every((warning) => confirmed.has(keyOf(warning)));

  function publish(event: FormEvent) {
    event.preventDefault();
    if (noteError) return document.getElementById(noteId)?.focus();
    setReminder(allConfirmed ? '' : 'Marque cada aviso depois de conferir o texto.');
    if (!allConfirmed) return;
    action.run(async () => {
      try {
        await withSession(() => client.site.publish(draft.tag, { note, warningsConfirmed: true }));
      } catch (error) {
        // Reload the draft, so that the page shows what prevents the publication.
        if (hasCode(error, 'site/not-publishable')) void revalidate();
        if (!hasCode(error, 'documents/precondition-failed')) throw error;
        const found = await withSession(() => whyRefused(draft));
        if (found !== 'published') return setOvertaken(found);
      }
      // The open document contains the texts of the previous version, so load a new document.
      window.location.replace('/admin/site#publicado');
      await new Promise(() => {});
    });
  }

  if (overtaken) {
    return (
      <Notice
        action={
          <Button
            size="small"
            onClick={() => {
              setOvertaken(undefined);
              // The draft can have other warnings now, so the admin must confirm all of them again.
              setConfirmed(new Set());
              void revalidate();
            }}
          >
            Ver o que muda agora
          </Button>
        }
      >
        {overtakenSentences[overtaken]}
      </Notice>
    );
  }

  return (
    <>
      <form className={styles.form} noValidate onSubmit={publish}>
        {warnings.length > 0 && (
          <fieldset className={styles.warnings}>
            <legend>Confira cada aviso</legend>
            {warnings.map((warning) => {
              const { section, path, words, message } = warning;
              const key = keyOf(warning);
              return (
                <label key={key} className={styles.warning}>
                  <input
                    type="checkbox"
                    checked={confirmed.has(key)}
                    onChange={({ target }) => {
                      const next = new Set(confirmed);
                      next[target.checked ? 'add' : 'delete'](key);
                      setConfirmed(next);
                    }}
                  />
                  <span>
                    <strong>{`${sections[section].label}, ${labelAt(planOf(section), path.split('.'))}:`}</strong>{' '}
                    <span>{`“${words}”. ${message}`}</span>
                  </span>
                </label>
              );
            })}
          </fieldset>
        )}
        <TextField
          id={noteId}
          name="note"
          label="Nota (opcional)"
          hint="Para o histórico, por exemplo “novo telefone”."
          required={false}
          value={note}
          error={noteError || undefined}
          onValue={setNote}
          onLeave={() => {}}
        />
        <FormMessage {...(reminder ? { message: reminder } : action.failure)} />
        <div className={styles.actions}>
          <SubmitButton pending={action.pending} working="Publicando…">
            Publicar agora
          </SubmitButton>
          <ButtonLink variant="quiet" to="/admin/site">
            Agora não
          </ButtonLink>
        </div>
      </form>
      {signInAgain}
    </>
  );
}

const keyOf = (warning: SiteDraft['warnings'][number]) => JSON.stringify(warning);

type Overtaken = 'draft changed' | 'other publication';

const overtakenSentences: Record<Overtaken, string> = {
  'draft changed': 'Outra pessoa mudou o rascunho depois que esta página abriu. Nada foi publicado.',
  'other publication': 'Outra pessoa publicou depois que esta página abriu. Este rascunho não foi publicado.',
};

/**
 * Finds out why the server refused to publish the draft `seen`.
 * @returns `published` if an earlier attempt has published this draft, but its response was lost
 */
async function whyRefused(seen: SiteDraft): Promise<Overtaken | 'published'> {
  const { version } = await client.site.getDraft();
  if (version === seen.version) return 'draft changed';
  const next = await client.site.getVersion(seen.version + 1);
  const isNext = seen.sections.every(({ section, content }) => isSame(content, next[section]));
  return isNext ? 'published' : 'other publication';
}
