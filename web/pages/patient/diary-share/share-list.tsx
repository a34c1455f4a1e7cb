import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import { type DiaryRead, type DiaryShare, isOpen } from '#contract/diary/share.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { counted } from '#web/components/whole-number.ts';
import { Fold } from '../components/fold.tsx';
import { usePatientUid } from '../components/patient-page.tsx';
import styles from './diary-share.module.css';
import { dayAndTime, endSentence, readSentence, scopeSentence } from './sentences.ts';

/** Lists who can read the diary, and the shares that have ended. */
export function ShareList({ shares, now }: { shares: DiaryShare[]; now: number }) {
  const uid = usePatientUid();
  const { withSession, signInAgain } = useSignInAgain();
  const { pending, failure, run } = useAction();
  const revalidator = useRevalidator();
  const notify = useToast();
  const [asked, setAsked] = useState<DiaryShare>();
  const section = useRef<HTMLElement>(null);
  const open = shares.filter((share) => isOpen(share, now));
  const ended = shares.filter((share) => !isOpen(share, now));

  const end = ({ id, clinician }: DiaryShare) =>
    run(async () => {
      await withSession(async () => (await client.diaryShares(uid)).revoke(id));
      await revalidator.revalidate();
      setAsked(undefined);
      // The pressed button is gone, so the focus moves to the list.
      section.current?.focus();
      notify(`Encerrado. ${clinician.name} não lê mais o que estava nessa autorização.`);
    });

  return (
    <section ref={section} className={styles.section} aria-labelledby="quem-pode" tabIndex={-1}>
      <h2 id="quem-pode">Quem pode ler</h2>
      {open.length === 0 && <p>Ninguém pode ler o seu diário agora.</p>}
      {open.length > 0 && (
        <ul className={styles.list}>
          {open.map((share) => (
            <li key={share.id} className={styles.card}>
              <Name share={share} />
              <p>{scopeSentence(share, now)}</p>
              <p className={styles.quiet}>
                <span>{endSentence(share, now)}</span>{' '}
                <span>
                  {share.lastReadAt === null
                    ? 'Ainda não leu.'
                    : `Leu pela última vez em ${dayAndTime(share.lastReadAt, now)}.`}
                </span>
              </p>
              <Consent share={share} now={now} />
              <p>
                <Button variant="quiet" size="small" onClick={() => setAsked(share)}>
                  Encerrar
                  <span className="visually-hidden">{` a autorização de ${share.clinician.name}`}</span>
                </Button>
              </p>
            </li>
          ))}
        </ul>
      )}
      {ended.length > 0 && (
        <Fold title={counted(ended.length, 'autorização que terminou', 'autorizações que terminaram')}>
          <ul className={styles.list}>
            {ended.map((share) => (
              <li key={share.id} className={styles.card}>
                <Name share={share} />
                <p>{scopeSentence(share, now)}</p>
                <p className={styles.quiet}>{endSentence(share, now)}</p>
                <Consent share={share} now={now} />
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {asked && (
        <Dialog
          title="Encerrar agora?"
          size="narrow"
          onClose={() => setAsked(undefined)}
          footer={
            <>
              <Button variant="danger" aria-disabled={pending || undefined} onClick={() => end(asked)}>
                {pending ? 'Encerrando…' : 'Encerrar'}
              </Button>
              <Button variant="quiet" onClick={() => setAsked(undefined)}>
                Manter
              </Button>
            </>
          }
        >
          <p>
            {`${asked.clinician.name} deixa de ler na mesma hora, também em uma página que já esteja aberta. O que já anotou no prontuário fica lá. Para voltar atrás, é preciso autorizar de novo.`}
          </p>
          <FormMessage {...failure} />
        </Dialog>
      )}
      {signInAgain}
    </section>
  );
}

const Name = ({ share: { clinician } }: { share: DiaryShare }) => (
  <h3>
    <span>{clinician.name}</span> <span className={styles.crm}>{clinician.crm}</span>
  </h3>
);

/** The text that the patient agreed to. */
const Consent = ({ share: { consent, grantedAt }, now }: { share: DiaryShare; now: number }) => (
  <Fold title="O que você autorizou">
    <p className={styles.consent}>{consent}</p>
    <p className={styles.quiet}>{`Em ${dayAndTime(grantedAt, now)}.`}</p>
  </Fold>
);

/** So many sentences of the access log are shown at first. */
const shownReads = 20;

/** The access log of the diary, in sentences. */
export function Reads({ reads, now }: { reads: DiaryRead[]; now: number }) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const shown = all ? reads : reads.slice(0, shownReads);
  return (
    <section className={styles.section} aria-labelledby="quem-leu">
      <h2 id="quem-leu">Quem leu</h2>
      {reads.length === 0 && <p>Ninguém leu o seu diário até agora.</p>}
      {reads.length > 0 && (
        <ul ref={list} className={styles.reads} tabIndex={-1}>
          {shown.map((read) => (
            <li key={read.id}>{readSentence(read, now)}</li>
          ))}
        </ul>
      )}
      {shown.length < reads.length && (
        <p>
          <Button
            variant="quiet"
            size="small"
            onClick={() => {
              setAll(true);
              list.current?.focus();
            }}
          >
            Ver mais
          </Button>
        </p>
      )}
    </section>
  );
}
