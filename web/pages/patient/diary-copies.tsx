import { useId, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useNavigate } from 'react-router';
import { dayAfter, fullDate } from '#contract/calendar.ts';
import { type DiaryDays, type DiaryPart, withParts } from '#contract/diary/entry.ts';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import { client } from '#web/app/client.ts';
import { openQueue } from '#web/app/load-offline.ts';
import { origins } from '#web/app/origins.ts';
import { servicesContext } from '#web/app/services.ts';
import { Button, ButtonAnchor } from '#web/components/button.tsx';
import { calendarDay, dayAndWeekday } from '#web/components/date-and-time.ts';
import { deferred } from '#web/components/deferred.tsx';
import { Dialog } from '#web/components/dialog.tsx';
import { EntryText } from '#web/components/diary/entry-text.tsx';
import { TextField } from '#web/components/form/field.tsx';
import { CheckboxGroup } from '#web/components/form/radio-group.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { PatientPage, usePatientUid } from './components/patient-page.tsx';
import { ImportDiary } from './diary-copies/import-diary.tsx';
import styles from './diary-copies.module.css';

/** Loads all entries; the page appears before they arrive. */
export async function loader({ context, request: { signal } }: LoaderFunctionArgs) {
  const present = await context.get(servicesContext).session.ready();
  // The guard has already redirected visitors.
  const uid = present.status === 'signed-in' ? present.session.user.uid : '';
  return { uid, loaded: deferred(loadAll(uid, signal)) };
}

async function loadAll(uid: string, signal: AbortSignal): Promise<Pick<DiaryDays, 'entries' | 'titles'>> {
  const diary = await client.diary(uid);
  const all: DiaryDays = { entries: [], next: null, titles: {} };
  do {
    const page = await diary.days({ before: all.next, limit: limits.diaryPageMaxItems }, signal);
    all.entries.push(...page.entries);
    Object.assign(all.titles, page.titles);
    all.next = page.next;
  } while (all.next !== null);
  return all;
}

/** The diary on paper and as a file, and its deletion. */
export function Component() {
  const { uid, loaded } = useLoaderData<typeof loader>();
  return (
    <PatientPage
      {...{ uid, loaded }}
      title="Cópias do diário"
      lead="O que é seu, você leva: no papel, em PDF ou num arquivo."
      links={[['/diario', 'Voltar ao diário']]}
    >
      {(all) => <Copies {...all} />}
    </PatientPage>
  );
}

const partNames: Record<DiaryPart, string> = {
  words: 'Palavras e quanto ocuparam',
  notes: 'Notas',
  practices: 'Práticas e passos',
};
const partOptions = Object.entries(partNames) as [DiaryPart, string][];

function Copies({ entries, titles }: Pick<DiaryDays, 'entries' | 'titles'>) {
  const today = calendarDay();
  const [from, setFrom] = useState(dayAfter(today, -30));
  const [to, setTo] = useState(today);
  const [parts, setParts] = useState<DiaryPart[]>(['words', 'notes', 'practices']);
  const id = useId();
  const field = { name: '', error: undefined, type: 'date', onLeave: () => {} } as const;
  const chosen = entries.filter(({ day }) => day >= from && day <= to).reverse();
  const query = new URLSearchParams({ from, to, parts: parts.join(',') });
  return (
    <>
      <section className={styles.choice} aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>O que entra na cópia</h2>
        <div className={styles.days}>
          <TextField
            {...field}
            id={`${id}-from`}
            label="De"
            value={from}
            onValue={(day) => day && setFrom(day)}
          />
          <TextField {...field} id={`${id}-to`} label="Até" value={to} onValue={(day) => day && setTo(day)} />
        </div>
        <CheckboxGroup
          id={`${id}-parts`}
          legend="Partes"
          options={partOptions}
          values={parts}
          onValues={setParts}
          error={undefined}
        />
        <p role="status" className={styles.note}>
          <span>{chosen.length === 1 ? 'Uma anotação.' : `${chosen.length} anotações.`}</span>
        </p>
        {chosen.length > 0 && parts.length > 0 && (
          <p className={styles.actions}>
            <Button onClick={() => window.print()}>Imprimir ou salvar em PDF</Button>
            <ButtonAnchor
              variant="quiet"
              href={`${origins.documents}${paths.documents.diaryCsv}?${query}`}
              download="diario.csv"
            >
              Baixar planilha
            </ButtonAnchor>
            <ButtonAnchor
              variant="quiet"
              href={`${origins.documents}${paths.documents.diaryJson}?${query}`}
              download="diario.json"
            >
              Baixar arquivo do diário
            </ButtonAnchor>
          </p>
        )}
        <p className={styles.note}>
          O arquivo do diário (JSON) pode voltar para este site. Onde você o guardar, quem o abrir lê tudo.
        </p>
      </section>
      <section className={styles.print} aria-labelledby={`${id}-print`}>
        <h2 id={`${id}-print`}>{`De ${fullDate(from)} a ${fullDate(to)}`}</h2>
        <ol>
          {chosen.map((entry) => (
            <li key={entry.id}>
              <h3>{dayAndWeekday(entry.day)}</h3>
              {'unreadable' in entry ? (
                <p>Esta anotação não pôde ser aberta.</p>
              ) : (
                <EntryText entry={withParts(entry, parts)} titles={titles} />
              )}
            </li>
          ))}
        </ol>
      </section>
      <ImportDiary />
      <DeleteDiary />
    </>
  );
}

function DeleteDiary() {
  const uid = usePatientUid();
  const [asking, setAsking] = useState(false);
  const { run, pending, failure } = useAction();
  const navigate = useNavigate();
  const notify = useToast();
  const close = () => setAsking(false);
  const remove = () =>
    run(async () => {
      await (await client.diary(uid)).deleteAll();
      await (await openQueue(uid ?? ''))?.clear();
      notify('Seu diário foi apagado.');
      await navigate('/diario');
    });
  return (
    <section id="apagar" className={styles.choice} aria-labelledby="apagar-titulo">
      <h2 id="apagar-titulo">Apagar o diário</h2>
      <p>
        Apaga todas as anotações, as notas para consultas e os compartilhamentos, na hora e sem volta. Em
        cópias de segurança, o texto cifrado pode ficar até elas vencerem, em no máximo 90 dias; a chave que o
        abre é apagada primeiro.
      </p>
      <p>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Apagar o diário inteiro
        </Button>
      </p>
      {asking && (
        <Dialog
          title="Apagar o diário inteiro?"
          size="narrow"
          onClose={close}
          footer={
            <>
              <Button variant="danger" aria-disabled={pending} onClick={remove}>
                {pending ? 'Apagando…' : 'Apagar para sempre'}
              </Button>
              <Button onClick={close}>Manter o diário</Button>
            </>
          }
        >
          <p>Ninguém poderá trazer de volta o que você escreveu. Se quiser guardar uma cópia, baixe antes.</p>
          <FormMessage {...failure} />
        </Dialog>
      )}
    </section>
  );
}
