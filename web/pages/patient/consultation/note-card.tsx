import { Eye, LockKeyhole } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import type { NoteResult } from '#client/diary-shares.ts';
import { fullDate } from '#contract/calendar.ts';
import { day as daySchema } from '#contract/diary/entry.ts';
import { type Clinician, type ConsultationNote, lastShownDay, type NoteItem } from '#contract/diary/share.ts';
import { limits } from '#contract/limits.ts';
import { isVisible } from '#contract/text.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { TextAreaField, TextField } from '#web/components/form/field.tsx';
import { Form, SubmitButton } from '#web/components/form/form.tsx';
import { RadioGroup } from '#web/components/form/radio-group.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { FormMessage } from '#web/components/notice.tsx';
import { useToast } from '#web/components/toast.tsx';
import { useAction } from '#web/components/use-action.ts';
import { Fold } from '../components/fold.tsx';
import { usePatientUid } from '../components/patient-page.tsx';
import styles from './consultation.module.css';
import { AskDialog, NewerNote } from './note-parts.tsx';

const answerNames = ['first', 'second', 'third'] as const;
const answer = z._default(
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(
        limits.consultationAnswerMaxLength,
        `No máximo ${limits.consultationAnswerMaxLength.toLocaleString('pt-BR')} letras.`,
      ),
    ),
  '',
);
const noteForm = z
  .object({
    clinicianUid: z.string('Escolha com quem é a consulta.'),
    day: daySchema,
    ...{ first: answer, second: answer, third: answer },
  })
  .check(
    z.refine((values) => answerNames.some((name) => isVisible(values[name])), {
      error: 'Escreva pelo menos uma resposta.',
      path: ['first'],
    }),
  );
type Values = z.infer<typeof noteForm>;

type CardProps = {
  id: string;
  /** The note as it was when the page opened; undefined for a new one. */
  first: NoteItem | undefined;
  /** True if only the first line is visible at first. */
  folded?: boolean;
  clinicians: Clinician[];
  questions: readonly string[];
  today: string;
  onUnsaved: (id: string, unsaved: boolean) => void;
};

/** A note for a consultation: a form, or a sentence if the stored content is damaged. */
export function NoteCard({ first, folded = false, ...props }: CardProps) {
  const [isDeleted, setDeleted] = useState(false);
  if (isDeleted) return <p className={styles.quiet}>Esta nota foi apagada.</p>;
  const title = first ? `Consulta de ${fullDate(first.day)}` : 'Nova nota';
  const content =
    first && 'unreadable' in first ? (
      <Unreadable id={first.id} onDeleted={() => setDeleted(true)} />
    ) : (
      <NoteEditor {...props} folded={folded} first={first} onDeleted={() => setDeleted(true)} />
    );
  return folded ? (
    <Fold title={title} className={styles.card}>
      {content}
    </Fold>
  ) : (
    <div className={styles.card}>{content}</div>
  );
}

function Unreadable({ id, onDeleted }: { id: string; onDeleted: () => void }) {
  const uid = usePatientUid();
  const { withSession, signInAgain } = useSignInAgain();
  const [asking, setAsking] = useState(false);
  const { pending, failure, run } = useAction();
  const remove = () =>
    run(async () => {
      await withSession(async () => (await client.diaryShares(uid)).deleteNote(id));
      onDeleted();
    });
  return (
    <>
      <p>Esta nota não pôde ser aberta. As outras continuam como estavam.</p>
      <p>
        <Button variant="quiet" size="small" onClick={() => setAsking(true)}>
          Apagar
        </Button>
      </p>
      {asking && (
        <AskDialog
          title="Apagar esta nota?"
          action={pending ? 'Apagando…' : 'Apagar'}
          keep="Manter"
          danger
          failure={failure}
          onAction={remove}
          onClose={() => setAsking(false)}
        >
          Ela some para sempre.
        </AskDialog>
      )}
      {signInAgain}
    </>
  );
}

function NoteEditor({
  id: firstId,
  first,
  folded,
  clinicians,
  questions: newQuestions,
  today,
  onUnsaved,
  onDeleted,
}: Omit<CardProps, 'first'> & { first: ConsultationNote | undefined; onDeleted: () => void }) {
  const uid = usePatientUid();
  const { withSession, signInAgain } = useSignInAgain();
  const notify = useToast();
  const state = useRef<HTMLParagraphElement>(null);
  const action = useAction();
  const [id, setId] = useState(firstId);
  const [stored, setStored] = useState(first);
  /** What another device has stored meanwhile. */
  const [newer, setNewer] = useState<ConsultationNote>();
  const [wasDeleted, setWasDeleted] = useState(false);
  const [asking, setAsking] = useState<'show' | 'delete'>();
  const questions = stored?.questions ?? newQuestions;
  const form = useForm({
    schema: noteForm,
    initial: {
      ...valuesOf(stored),
      ...(!stored && clinicians.length === 1 && { clinicianUid: clinicians[0]?.uid ?? '' }),
    },
    labels: { clinicianUid: 'A consulta é com', day: 'Dia da consulta' },
    submit: async (values) => {
      const note = await save(values, stored);
      if (note) notify(note.shownAt === null ? 'Guardada. Só você lê.' : 'Guardada.');
    },
  });
  const nameOf = (uid: string | undefined) =>
    clinicians.find((one) => one.uid === uid)?.name ?? 'essa pessoa';
  const name = nameOf(stored?.clinicianUid);
  const isUnsaved = !isSame(form.values, stored);
  useEffect(() => onUnsaved(firstId, isUnsaved));

  /** Returns the stored note, or undefined if the patient must decide first what to keep. */
  async function save(
    { clinicianUid, day, ...answers }: Values,
    base: ConsultationNote | undefined,
  ): Promise<ConsultationNote | undefined> {
    const change = {
      ...{ clinicianUid, day, base: base?.revision ?? 0, questions: [...questions] },
      answers: answerNames.map((one) => answers[one]),
    };
    return settle(await withSession(async () => (await client.diaryShares(uid)).saveNote(id, change)));
  }

  function settle(result: NoteResult): ConsultationNote | undefined {
    setWasDeleted('deleted' in result);
    setNewer('conflict' in result ? result.conflict : undefined);
    // Who can read now is true at once; the text stays as the patient saw it.
    if ('conflict' in result)
      setStored((before) => before && { ...before, shownAt: result.conflict.shownAt });
    if ('note' in result) {
      setStored(result.note);
      return result.note;
    }
    if ('deleted' in result) {
      // What the patient has typed becomes a new note, if it is saved.
      setId(crypto.randomUUID());
      setStored(undefined);
    }
    return undefined;
  }

  const askToShow = () =>
    form.send(async (values) => {
      const note = isUnsaved || !stored ? await save(values, stored) : stored;
      if (note) setAsking('show');
    });
  const show = () =>
    action.run(async () => {
      if (!stored) return;
      const shown = settle(await withSession(async () => (await client.diaryShares(uid)).showNote(stored)));
      setAsking(undefined);
      if (!shown) return;
      // The pressed button is gone.
      state.current?.focus();
    });
  const close = () =>
    action.run(async () => {
      const closed = await withSession(async () => (await client.diaryShares(uid)).closeNote(id));
      // Another device may have changed the text since.
      if (!closed) settle({ deleted: true });
      else if ('answers' in closed)
        settle(isSame(valuesOf(closed), stored) ? { note: closed } : { conflict: closed });
      state.current?.focus();
    });
  const remove = () =>
    action.run(async () => {
      await withSession(async () => (await client.diaryShares(uid)).deleteNote(id));
      onUnsaved(firstId, false);
      onDeleted();
    });

  const isShown = stored !== undefined && stored.shownAt !== null;
  const isOver = stored !== undefined && lastShownDay(stored.day) < today;
  return (
    <>
      <Form
        form={form}
        actions={
          <div className={styles.actions}>
            <SubmitButton pending={form.pending} working="Guardando…">
              Guardar
            </SubmitButton>
            {isShown ? (
              <Button variant="quiet" aria-disabled={action.pending || undefined} onClick={close}>
                Fechar a nota
              </Button>
            ) : (
              (form.values.day === '' || lastShownDay(form.values.day) >= today) && (
                <Button
                  variant="quiet"
                  aria-disabled={form.pending || undefined}
                  onClick={() => void askToShow()}
                >
                  Mostrar na consulta
                </Button>
              )
            )}
            {stored && (
              <Button variant="quiet" onClick={() => setAsking('delete')}>
                Apagar
              </Button>
            )}
          </div>
        }
      >
        <div className={styles.state}>
          {!folded && <h2>{stored ? `Consulta de ${fullDate(stored.day)}` : 'Nova nota'}</h2>}
          <p ref={state} tabIndex={-1} role="status" data-shown={isShown ? '' : undefined}>
            {isShown ? <Eye /> : <LockKeyhole />}
            <span>{stateSentence({ stored, isUnsaved, isOver, name })}</span>
          </p>
        </div>
        {wasDeleted && (
          <p className={styles.box}>
            Esta nota foi apagada em outro aparelho. O seu texto continua aqui: para ficar com ele, guarde de
            novo.
          </p>
        )}
        {newer && (
          <NewerNote
            note={newer}
            name={nameOf(newer.clinicianUid)}
            onTake={() => {
              setStored(newer);
              form.fill(valuesOf(newer));
              setNewer(undefined);
            }}
            onKeep={() => void form.send(async (values) => void (await save(values, newer)))}
          />
        )}
        <RadioGroup
          {...form.field('clinicianUid')}
          legend="A consulta é com"
          options={clinicians.map((one) => [one.uid, `${one.name}, ${one.crm}`])}
        />
        <TextField {...form.field('day')} type="date" label="Dia da consulta" />
        {answerNames.map((one, place) => (
          <TextAreaField
            key={one}
            {...form.field(one)}
            label={questions[place] ?? ''}
            hint="Opcional."
            required={false}
            autoComplete="off"
            rows={4}
          />
        ))}
        {!asking && <FormMessage {...action.failure} />}
      </Form>
      {asking === 'show' && stored && (
        <AskDialog
          title={`Mostrar a ${name}?`}
          action={action.pending ? 'Mostrando…' : 'Mostrar'}
          keep="Ainda não"
          failure={action.failure}
          onAction={show}
          onClose={() => setAsking(undefined)}
        >
          {`${name} lê esta nota a partir de agora, até o fim de ${fullDate(lastShownDay(stored.day))}. Depois ela se fecha sozinha, e você pode fechar antes. O que ${name} anotar no prontuário fica lá por 20 anos.`}
        </AskDialog>
      )}
      {asking === 'delete' && (
        <AskDialog
          title="Apagar esta nota?"
          action={action.pending ? 'Apagando…' : 'Apagar'}
          keep="Manter"
          danger
          failure={action.failure}
          onAction={remove}
          onClose={() => setAsking(undefined)}
        >
          Ela some para sempre, também para quem podia ler.
        </AskDialog>
      )}
      {signInAgain}
    </>
  );
}

const valuesOf = (note: ConsultationNote | undefined) => ({
  ...{ clinicianUid: note?.clinicianUid ?? '', day: note?.day ?? '', first: note?.answers[0] ?? '' },
  ...{ second: note?.answers[1] ?? '', third: note?.answers[2] ?? '' },
});

/** True if the form says what is stored, or if a new note is blank. */
function isSame(values: Record<keyof Values, string>, stored: ConsultationNote | undefined): boolean {
  const before = valuesOf(stored);
  const isAnswered = answerNames.some((name) => values[name].trim() !== before[name]);
  if (!stored) return !isAnswered;
  return !isAnswered && values.day === stored.day && values.clinicianUid === stored.clinicianUid;
}

/** Says who can read the note, and until when. */
function stateSentence({
  stored,
  isUnsaved,
  isOver,
  name,
}: {
  stored: ConsultationNote | undefined;
  isUnsaved: boolean;
  isOver: boolean;
  name: string;
}): string {
  if (!stored)
    return isUnsaved ? 'Ainda não foi guardada.' : 'Só você lê, até tocar em “Mostrar na consulta”.';
  const changes = isUnsaved ? 'Há mudanças que ainda não foram guardadas. ' : '';
  if (stored.shownAt !== null)
    return `${changes}${name} pode ler até o fim de ${fullDate(lastShownDay(stored.day))}, também o que você guardar agora.`;
  if (isOver) return `${changes}O dia já passou, e a nota se fechou. Só você lê.`;
  return isUnsaved ? `${changes}Só você lê.` : 'Guardada. Só você lê, até tocar em “Mostrar na consulta”.';
}
