import { useEffect, useState } from 'react';
import { type IssueDetails, issuePath } from '#contract/newsletter.ts';
import { client } from '#web/app/client.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { dateAndTime } from '#web/components/date-and-time.ts';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { FormMessage, Notice } from '#web/components/notice.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { counted, wholeNumber } from '#web/components/whole-number.ts';
import { IndexedChoice } from './issue-editor.tsx';
import styles from './issue-progress.module.css';

const pollMs = 3_000;

/** Shows how far the sending of an issue is, and lets an admin pause it. */
export function IssueProgress({
  issue,
  onChange,
}: {
  issue: IssueDetails;
  onChange: (issue: IssueDetails) => void;
}) {
  const { id, state, problem, progress, startedAt } = issue;
  const action = useAction();
  const notify = useToast();
  const { withSession, signInAgain } = useSignInAgain();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (state !== 'sending') return;
    const look = async () => onChange(await (await client.issues()).read(id));
    const timer = setInterval(() => {
      look().then(
        () => setFailed(false),
        () => setFailed(true),
      );
    }, pollMs);
    return () => clearInterval(timer);
  }, [id, state, onChange]);

  const run = (work: (issues: Awaited<ReturnType<typeof client.issues>>) => Promise<IssueDetails>) =>
    action.run(async () => onChange(await withSession(async () => work(await client.issues()))));
  const setIndexed = (indexed: boolean) =>
    run(async (issues) => {
      const changed = await issues.change(issue, { subject: issue.subject, text: issue.text, indexed });
      notify(
        indexed ? 'A página da carta pode aparecer em buscadores.' : 'A página não aparece em buscadores.',
      );
      return changed;
    });

  const { sent, recipients, waiting } = progress;
  return (
    <div className={styles.progress}>
      <div className={styles.state}>
        <p role="status" className="lead">
          {sentence(issue)}
        </p>
        <progress className={styles.bar} max={recipients} value={recipients - waiting} aria-label="Envio" />
        {problem && <Notice>{problem}</Notice>}
        {failed && <Notice>Sem conexão com o site. O envio continua no servidor.</Notice>}
        <p className={styles.actions}>
          {state === 'sending' && (
            <Button variant="quiet" onClick={() => run((issues) => issues.pause(id))}>
              Pausar
            </Button>
          )}
          {(state === 'paused' || (state === 'sending' && problem)) && (
            <Button onClick={() => run((issues) => issues.resume(id))}>
              {state === 'paused' ? 'Continuar' : 'Tentar agora'}
            </Button>
          )}
          <ButtonLink to={issuePath(id)} variant="quiet">
            Ver no site
          </ButtonLink>
        </p>
        <FormMessage {...action.failure} />
        <p className={styles.quiet}>
          {`${startedAt === null ? '' : `Começou em ${dateAndTime(startedAt)}. `}${counted(sent, 'enviada', 'enviadas')} de ${wholeNumber(recipients)}.`}
        </p>
      </div>
      <Addresses
        title="Endereços recusados"
        lead="O servidor de e-mail dessas pessoas disse que o endereço não existe ou não recebe mais."
        addresses={issue.refusedAddresses}
        count={progress.refused}
      />
      <Addresses
        title="Sem certeza"
        lead="A conexão caiu durante o envio. Não se sabe se a carta chegou, e ela não é enviada de novo sozinha."
        addresses={issue.unsureAddresses}
        count={progress.unsure}
      />
      <IndexedChoice indexed={issue.indexed} onIndexed={setIndexed} />
      <section className={styles.text} aria-label="Texto da carta">
        <PlainText text={issue.text} />
      </section>
      {signInAgain}
    </div>
  );
}

function sentence({ state, progress: { recipients, sent, waiting } }: IssueDetails): string {
  const people = counted(recipients, 'pessoa', 'pessoas');
  if (state === 'sending') return `A carta está sendo enviada para ${people}. Pode fechar esta página.`;
  if (state === 'paused')
    return `O envio está parado. Falta enviar para ${counted(waiting, 'pessoa', 'pessoas')}.`;
  return `A carta foi enviada para ${sent === recipients ? people : `${wholeNumber(sent)} de ${people}`}.`;
}

function Addresses({
  title,
  lead,
  addresses,
  count,
}: {
  title: string;
  lead: string;
  addresses: string[];
  count: number;
}) {
  if (count === 0) return null;
  return (
    <section className={styles.addresses}>
      <h2>{`${title}: ${wholeNumber(count)}`}</h2>
      <p className={styles.quiet}>{lead}</p>
      <ul>
        {addresses.map((address) => (
          <li key={address}>{address}</li>
        ))}
      </ul>
    </section>
  );
}
