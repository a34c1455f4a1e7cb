import { useId, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { PatientAssignment, PatientAssignments } from '#contract/diary/week.ts';
import { client } from '#web/app/client.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { calendarDay } from '#web/components/date-and-time.ts';
import { FormMessage } from '#web/components/notice.tsx';
import { PlainText } from '#web/components/plain-text.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import styles from './assignments.module.css';
import { answersOf, periodOf, recordText, timesOf } from './record-text.ts';

/** What the clinician has proposed to a patient, with the answers that the patient shows. */
export function Assignments({ uid, week }: { uid: string; week: PatientAssignments }) {
  const { assignments, granted } = week;
  const copyId = useId();
  const notify = useToast();
  const [byHand, setByHand] = useState(false);

  async function copy() {
    try {
      await navigator.clipboard.writeText(recordText(week));
      notify('Copiado para o prontuário.');
    } catch {
      // The browser cannot copy, for example without HTTPS.
      setByHand(true);
    }
  }

  return (
    <section className={styles.proposals} aria-labelledby="propostas">
      <h2 id="propostas">Práticas propostas</h2>
      <p className={styles.actions}>
        <ButtonLink size="small" to={`/admin/propor?paciente=${encodeURIComponent(uid)}`}>
          Propor para esta semana
        </ButtonLink>
        {assignments.length > 0 && (
          <Button variant="quiet" size="small" onClick={() => void copy()}>
            Copiar para o prontuário
          </Button>
        )}
      </p>
      {byHand && (
        <p className={styles.byHand}>
          <label htmlFor={copyId}>Copie o texto daqui:</label>
          <textarea id={copyId} readOnly rows={6} value={recordText(week)} ref={(field) => field?.select()} />
        </p>
      )}
      {assignments.length > 0 && (
        <>
          <p className={styles.quiet}>
            {granted.length === 0
              ? 'As respostas aparecem só se o paciente compartilhar as práticas do diário.'
              : `Dias compartilhados: ${granted.map(({ from, to }) => periodOf(from, to)).join('; ')}. Sem resposta não quer dizer nada.`}
          </p>
          <ul className={styles.list}>
            {assignments.map((one) => (
              <Assignment key={one.id} {...{ uid, one }} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Assignment({ uid, one }: { uid: string; one: PatientAssignment }) {
  const { revalidate } = useRevalidator();
  const notify = useToast();
  const { pending, failure, run } = useAction();
  const isOpen = one.withdrawnAt === null && one.toDay >= calendarDay();
  const withdraw = () =>
    run(async () => {
      await (await client.week()).withdraw(uid, one.id);
      notify('Prática retirada.');
      await revalidate();
    });
  return (
    <li>
      <h3>{one.title}</h3>
      <p>{`${timesOf(one)}, ${periodOf(one.fromDay, one.toDay)}.`}</p>
      {one.withdrawnAt !== null && <p className={styles.quiet}>Retirada.</p>}
      {!one.isPublic && <p className={styles.quiet}>Esta prática saiu da biblioteca.</p>}
      {one.message === null && <p className={styles.quiet}>A mensagem não pôde ser aberta.</p>}
      {one.message && <PlainText text={one.message} />}
      {answersOf(one).map((line) => (
        <p key={line}>{line}</p>
      ))}
      <FormMessage {...failure} />
      {isOpen && (
        <p>
          <Button variant="quiet" size="small" aria-disabled={pending || undefined} onClick={withdraw}>
            <span>{pending ? 'Retirando…' : 'Retirar'}</span>{' '}
            <span className="visually-hidden">{one.title}</span>
          </Button>
        </p>
      )}
    </li>
  );
}
