import { useState } from 'react';
import { useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { ClientError, hasCode } from '#client/client-error.ts';
import { type IssueDetails, type IssueInput, issueDetails, issueInput } from '#contract/newsletter.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { controlProps, FieldLayout, TextField } from '#web/components/form/field.tsx';
import { ErrorSummary, SubmitButton } from '#web/components/form/form.tsx';
import { Choice } from '#web/components/form/radio-group.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { useLeaveGuard } from '#web/components/leave-guard.tsx';
import { FormMessage, Notice } from '#web/components/notice.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { counted } from '#web/components/whole-number.ts';
import { SaveBar } from '../components/page-parts.tsx';
import { TextToolbar } from '../components/text-toolbar.tsx';
import styles from './issue-editor.module.css';
import { MailPreview } from './mail-preview.tsx';

/** The checkbox has a state of its own. */
const formSchema = z.omit(issueInput, { indexed: true });
const textRows = 18;

type EditorProps = {
  /** The draft as the server has it; undefined for a new issue. */
  saved: IssueDetails | undefined;
  onChange: (issue: IssueDetails) => void;
};

/** Edits a draft: text, preview, a test to oneself, sending, deletion. */
export function IssueEditor({ saved, onChange }: EditorProps) {
  const navigate = useNavigate();
  const notify = useToast();
  const { withSession, signInAgain } = useSignInAgain();
  const action = useAction();
  const [asking, setAsking] = useState<'send' | 'delete'>();
  /** What another admin has saved meanwhile. */
  const [newer, setNewer] = useState<IssueDetails>();
  const form = useForm({
    schema: formSchema,
    initial: { subject: saved?.subject ?? '', text: saved?.text ?? '' },
    labels: { subject: 'Assunto', text: 'Texto' },
    submit: (input) => save({ ...input, indexed }, saved),
  });
  const [indexed, setIndexed] = useState(saved?.indexed ?? false);
  const { subject, text } = form.values;
  const unsaved =
    subject !== (saved?.subject ?? '') ||
    text !== (saved?.text ?? '') ||
    indexed !== (saved?.indexed ?? false);
  const { leaveGuard, allowLeaving } = useLeaveGuard(unsaved);

  async function save(input: IssueInput, base: IssueDetails | undefined) {
    try {
      const issues = await client.issues();
      const stored = await withSession(() => (base ? issues.change(base, input) : issues.create(input)));
      setNewer(undefined);
      onChange(stored);
      form.fill({ subject: stored.subject, text: stored.text });
      notify('O rascunho da carta foi salvo.');
      if (!base) {
        allowLeaving();
        await navigate(`/admin/carta/${stored.id}`, { replace: true });
      }
    } catch (error) {
      if (base && hasCode(error, 'documents/not-found')) {
        notify('Alguém deletou esta carta. O seu texto virou um rascunho novo.');
        return save(input, undefined);
      }
      showNewer(error);
    }
  }

  /** Offers what another admin has saved meanwhile. Throws another error again. */
  function showNewer(error: unknown) {
    const current = issueDetails.safeParse(error instanceof ClientError ? error.current : undefined);
    if (!current.success) throw error;
    setAsking(undefined);
    setNewer(current.data);
  }

  const run = (work: (issue: IssueDetails) => Promise<void>) =>
    action.run(async () => {
      if (saved) await withSession(() => work(saved)).catch(showNewer);
    });
  const test = () =>
    run(async (issue) => {
      await (await client.issues()).test(issue);
      notify('O teste foi enviado para o seu e-mail.');
    });
  const send = () =>
    run(async (issue) => {
      const sending = await (await client.issues()).send(issue);
      setAsking(undefined);
      onChange(sending);
    });
  const remove = () =>
    run(async ({ id }) => {
      await (await client.issues()).remove(id);
      allowLeaving();
      await navigate('/admin/carta', { replace: true });
      notify('O rascunho foi deletado.');
    });

  const content = {
    ...form.field('text'),
    label: 'Texto',
    hint: 'Uma linha em branco separa parágrafos. Negrito, itálico, links e listas: selecione palavras e toque em um botão.',
  };
  return (
    <>
      <form {...form.props} className={styles.editor}>
        <ErrorSummary problems={form.problems} />
        {newer && (
          <Notice
            action={
              <div className={styles.actions}>
                <Button
                  size="small"
                  onClick={() => void form.send((input) => save({ ...input, indexed }, newer))}
                >
                  Salvar o meu texto
                </Button>
                <Button
                  size="small"
                  variant="quiet"
                  onClick={() => {
                    form.fill({ subject: newer.subject, text: newer.text });
                    setIndexed(newer.indexed);
                    onChange(newer);
                    setNewer(undefined);
                  }}
                >
                  Ficar com o texto salvo
                </Button>
              </div>
            }
          >
            Outra pessoa salvou esta carta depois que você a abriu. O seu texto continua aqui.
          </Notice>
        )}
        <div className={styles.fields}>
          <TextField
            {...form.field('subject')}
            label="Assunto"
            hint="É também o título da carta. Diga sobre o que ela é, em poucas palavras."
            autoComplete="off"
          />
          <FieldLayout
            {...content}
            input={
              <>
                <TextToolbar fieldId={content.id} />
                <textarea {...controlProps(content)} rows={textRows} />
              </>
            }
          />
          <IndexedChoice indexed={indexed} onIndexed={setIndexed} />
          {saved && (
            <p>
              <Button variant="danger" size="small" onClick={() => setAsking('delete')}>
                Deletar o rascunho
              </Button>
            </p>
          )}
        </div>
        <section className={styles.preview} aria-labelledby="previa">
          <h2 id="previa">Prévia</h2>
          <div className={styles.page}>
            <h3>{subject || 'Assunto'}</h3>
            <PlainText text={text || 'O texto da carta aparece aqui.'} />
          </div>
          {saved && !unsaved ? (
            <MailPreview issue={saved} />
          ) : (
            <p className={styles.quiet}>Salve o rascunho para ver a carta como e-mail.</p>
          )}
        </section>
        <SaveBar
          actions={
            <>
              <SubmitButton pending={form.pending} working="Salvando…">
                Salvar rascunho
              </SubmitButton>
              {saved && (
                <>
                  <Button variant="quiet" disabled={unsaved} onClick={test}>
                    Enviar um teste para mim
                  </Button>
                  <Button variant="dark" disabled={unsaved} onClick={() => setAsking('send')}>
                    Enviar…
                  </Button>
                </>
              )}
            </>
          }
        >
          <FormMessage message={form.message} onReload={form.onReload} />
          {asking === undefined && <FormMessage {...action.failure} />}
          <p role="status">{saved && unsaved && 'Salve o rascunho antes de enviar a carta.'}</p>
        </SaveBar>
      </form>
      {asking === 'send' && saved && (
        <Dialog
          title="Enviar a carta?"
          size="narrow"
          onClose={() => setAsking(undefined)}
          footer={
            <>
              <Button onClick={send} aria-disabled={action.pending || undefined}>
                {action.pending ? 'Um momento…' : 'Enviar agora'}
              </Button>
              <Button variant="quiet" onClick={() => setAsking(undefined)}>
                Ainda não
              </Button>
            </>
          }
        >
          <p>
            {`“${saved.subject}” vai para ${counted(saved.subscribers, 'pessoa', 'pessoas')}. Depois disso, o texto não muda mais.`}
          </p>
          <FormMessage {...action.failure} />
        </Dialog>
      )}
      {asking === 'delete' && (
        <Dialog
          title="Deletar o rascunho?"
          size="narrow"
          onClose={() => setAsking(undefined)}
          footer={
            <>
              <Button variant="danger" onClick={remove}>
                Deletar
              </Button>
              <Button onClick={() => setAsking(undefined)}>Ficar com o rascunho</Button>
            </>
          }
        >
          <p>O texto se perde. Nada foi enviado a ninguém.</p>
          <FormMessage {...action.failure} />
        </Dialog>
      )}
      {leaveGuard}
      {signInAgain}
    </>
  );
}

/** The checkbox that lets search engines index the public page of the issue. */
export function IndexedChoice({
  indexed,
  onIndexed,
}: {
  indexed: boolean;
  onIndexed: (indexed: boolean) => void;
}) {
  return (
    <Choice type="checkbox" checked={indexed} onChange={({ target }) => onIndexed(target.checked)}>
      <span>Esta carta pode aparecer em buscadores, como o Google</span>
    </Choice>
  );
}
