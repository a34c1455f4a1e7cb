import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { type Clinician, lastShownDay, type NoteItem } from '#contract/diary/share.ts';
import { clockOf } from '#contract/site/clock.ts';
import { client } from '#web/app/client.ts';
import { type Services, servicesContext, useContent } from '#web/app/services.ts';
import { Button } from '#web/components/button.tsx';
import { deferred } from '#web/components/deferred.tsx';
import { useLeaveGuard } from '#web/components/leave-guard.tsx';
import { PatientPage } from './components/patient-page.tsx';
import { StartDiary } from './components/start-diary.tsx';
import styles from './consultation/consultation.module.css';
import { NoteCard } from './consultation/note-card.tsx';

type Loaded = {
  clinicians: Clinician[];
  notes: NoteItem[];
  /** False before the consent to store a diary. */
  consents: boolean;
  /** The current day in the clinic's time zone. */
  today: string;
};

/** Loads the notes; the page appears before they arrive. */
export async function loader({ context, request }: LoaderFunctionArgs) {
  const services = context.get(servicesContext);
  const present = await services.session.ready();
  // The guard has already redirected visitors.
  const uid = present.status === 'signed-in' ? present.session.user.uid : '';
  return { uid, loaded: deferred(load(services, uid, request.signal)) };
}

async function load({ content }: Services, uid: string, signal: AbortSignal): Promise<Loaded> {
  const [diary, clinicians, diaryShares] = await Promise.all([
    client.diary(uid),
    client.clinicians(),
    client.diaryShares(uid),
  ]);
  const [{ consents }, found, notes] = await Promise.all([
    diary.state(signal),
    clinicians.list(signal),
    diaryShares.listNotes(signal),
    content.load('identity', 'diary'),
  ]);
  const { timeZone } = content.get('identity').schedule;
  return {
    clinicians: found.filter((one) => one.uid !== uid),
    ...{ notes, consents, today: clockOf(timeZone, new Date()).date },
  };
}

/** The page with the patient's notes for consultations. */
export function Component() {
  const { uid, loaded } = useLoaderData<typeof loader>();
  return (
    <PatientPage
      {...{ uid, loaded }}
      title="Nota para a consulta"
      lead="Três perguntas, se ajudarem. Ninguém lê antes de você mostrar."
      links={[
        ['/diario', 'Meu diário'],
        ['/diario/compartilhar', 'Compartilhar o diário'],
      ]}
    >
      {(found) => <Start {...found} />}
    </PatientPage>
  );
}

function Start({ consents, ...found }: Loaded) {
  const [started, setStarted] = useState(consents);
  return started ? <Notes {...found} /> : <StartDiary onStarted={() => setStarted(true)} />;
}

/** A note on the page: `stored` is undefined until it is saved. */
type Card = { id: string; stored: NoteItem | undefined };

const newCard = (): Card => ({ id: crypto.randomUUID(), stored: undefined });

function Notes({ clinicians, notes, today }: Omit<Loaded, 'consents'>) {
  const { questions } = useContent('diary');
  // The groups stay as they were when the page opened, so that no card moves while the patient writes.
  const [before] = useState(() =>
    notes.filter(({ day }) => lastShownDay(day) < today).map((stored) => ({ id: stored.id, stored })),
  );
  const [current, setCurrent] = useState<Card[]>(() => {
    const next = notes.filter(({ day }) => lastShownDay(day) >= today).reverse();
    if (next.length === 0 && clinicians.length > 0) return [newCard()];
    return next.map((stored) => ({ id: stored.id, stored }));
  });
  const [unsaved, setUnsaved] = useState<readonly string[]>([]);
  const { leaveGuard } = useLeaveGuard(unsaved.length > 0);
  const cardProps = {
    ...{ clinicians, today, questions },
    onUnsaved: (id: string, is: boolean) =>
      setUnsaved((ids) =>
        is === ids.includes(id) ? ids : is ? [...ids, id] : ids.filter((one) => one !== id),
      ),
  };
  return (
    <>
      <section className={styles.section} aria-label="Para a próxima consulta">
        {clinicians.length === 0 && (
          <p>
            Por enquanto, ninguém da clínica lê notas por aqui. Quando alguém puder, você escolhe a pessoa
            nesta página.
          </p>
        )}
        {current.map(({ id, stored }) => (
          <NoteCard key={id} id={id} first={stored} {...cardProps} />
        ))}
        {clinicians.length > 0 && (
          <p>
            <Button variant="quiet" size="small" onClick={() => setCurrent([...current, newCard()])}>
              Escrever outra nota
            </Button>
          </p>
        )}
      </section>
      {before.length > 0 && (
        <section className={styles.section} aria-labelledby="de-antes">
          <h2 id="de-antes">Notas de antes</h2>
          {before.map(({ id, stored }) => (
            <NoteCard key={id} id={id} first={stored} folded {...cardProps} />
          ))}
        </section>
      )}
      {leaveGuard}
    </>
  );
}
