import { useEffect, useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import * as z from 'zod/mini';
import { hasCode } from '#client/client-error.ts';
import { dayAfter, dayInBrasilia, fullDate } from '#contract/calendar.ts';
import { type DiaryEntry, day } from '#contract/diary/entry.ts';
import {
  type Clinician,
  consentText,
  consentVersion,
  type DiaryShare,
  endOfDay,
  type GrantedEntry,
  grantedPart,
  type ShareScope,
} from '#contract/diary/share.ts';
import { limits } from '#contract/limits.ts';
import { client } from '#web/app/client.ts';
import { useServices } from '#web/app/services.ts';
import { Button, ButtonLink } from '#web/components/button.tsx';
import { calendarDay } from '#web/components/date-and-time.ts';
import { TextField } from '#web/components/form/field.tsx';
import { Form, SubmitButton } from '#web/components/form/form.tsx';
import { Choice, RadioGroup } from '#web/components/form/radio-group.tsx';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { FormMessage } from '#web/components/notice.tsx';
import { useAction } from '#web/components/use-action.ts';
import { counted } from '#web/components/whole-number.ts';
import { usePatientUid } from '../components/patient-page.tsx';
import styles from './diary-share.module.css';
import { GrantedEntries } from './granted-entries.tsx';
import { dayAndTime, shortDay } from './sentences.ts';

/** The days before today that the form chooses at first, and the days after today until the share ends. */
const firstDays = 30;

/** The last day on which a share can end. */
const latestEnd = (now: number) => dayAfter(dayInBrasilia(now), limits.shareMaxDays - 1);

const chosen = (now: number) =>
  z
    .object({
      clinicianUid: z.string('Escolha quem vai ler.'),
      from: day,
      to: day,
      until: day.check(
        z.refine((until) => until >= dayInBrasilia(now) && until <= latestEnd(now), {
          error: `Escolha um dia de hoje até ${fullDate(latestEnd(now))}.`,
        }),
      ),
    })
    .check(
      z.refine(({ from, to }) => from <= to, { error: 'O último dia vem depois do primeiro.', path: ['to'] }),
    );

/** A share that the patient looks at before granting it. */
type Draft = {
  /** Makes a repeated request harmless. */
  id: string;
  clinicianUid: string;
  scope: ShareScope;
  entries: GrantedEntry[];
  /** How many entries of these days cannot be opened. */
  unreadable: number;
  titles: Record<string, string>;
};

/**
 * Grants a share: the choice, then what the clinician will see and the text of the consent, then the receipt.
 * @param only the only entry to share
 */
export function Grant({
  clinicians,
  only,
  now,
  mailsReceipt,
}: {
  clinicians: Clinician[];
  only: DiaryEntry | undefined;
  now: number;
  /** False for an account whose email address is not verified. */
  mailsReceipt: boolean;
}) {
  const uid = usePatientUid();
  const { withSession, signInAgain } = useSignInAgain();
  const { pageData } = useServices();
  const [parts, setParts] = useState({ notes: false, practices: false });
  const [draft, setDraft] = useState<Draft>();
  const [receipt, setReceipt] = useState<DiaryShare>();
  const today = calendarDay();
  const form = useForm({
    schema: chosen(now),
    initial: {
      clinicianUid: (clinicians.length === 1 && clinicians[0]?.uid) || '',
      ...{ from: only?.day ?? dayAfter(today, -firstDays), to: only?.day ?? today },
      until: dayAfter(dayInBrasilia(now), firstDays),
    },
    labels: { clinicianUid: 'Quem vai ler', from: 'Do dia', to: 'Até o dia', until: 'Termina em' },
    submit: async ({ clinicianUid, from, to, until }) => {
      const scope: ShareScope = {
        ...{ from, to, ...parts, expiresAt: endOfDay(until) },
        ...(only && { entryId: only.id }),
      };
      const file = await withSession(async () => (await client.diary(uid)).exportFile({ from, to }));
      const entries = file.entries.flatMap((entry) => grantedPart({ ...entry, revision: 0 }, scope) ?? []);
      const titles = await readTitles(entries);
      setDraft({
        ...{ id: crypto.randomUUID(), clinicianUid, scope, entries, titles },
        unreadable: only ? 0 : file.unreadable.length,
      });
    },
  });

  /** Reads the titles of the practices that are still public. */
  async function readTitles(entries: GrantedEntry[]): Promise<Record<string, string>> {
    const ids = [...new Set(entries.flatMap(({ practices = [] }) => practices))];
    const { signal } = new AbortController();
    const found = await Promise.all(
      ids.map(async (id) => {
        const page = await pageData.practicePage(id, signal).catch((error: unknown) => {
          if (hasCode(error, 'documents/not-found')) return undefined;
          throw error;
        });
        return page?.practice ? [[id, page.practice.title] as const] : [];
      }),
    );
    return Object.fromEntries(found.flat());
  }

  const name = clinicians.find(({ uid }) => uid === form.values.clinicianUid)?.name;
  const reader = draft && clinicians.find(({ uid }) => uid === draft.clinicianUid);
  if (clinicians.length === 0)
    return (
      <p>
        Por enquanto, ninguém da clínica lê diários por aqui. Quando alguém puder, o nome aparece nesta
        página. Você continua podendo mostrar o diário na consulta, no seu aparelho.
      </p>
    );
  if (receipt)
    return <Receipt share={receipt} now={now} mailed={mailsReceipt} onAgain={() => setReceipt(undefined)} />;
  if (draft && reader)
    return (
      <Preview
        draft={draft}
        reader={reader}
        today={today}
        onBack={() => setDraft(undefined)}
        onGranted={(share) => {
          setDraft(undefined);
          setParts({ notes: false, practices: false });
          setReceipt(share);
        }}
      />
    );
  return (
    <>
      <Form
        form={form}
        actions={
          <SubmitButton pending={form.pending} working="Abrindo…">
            {name ? `Ver como ${name} vai ver` : 'Ver como vai ficar'}
          </SubmitButton>
        }
      >
        <RadioGroup
          {...form.field('clinicianUid')}
          legend="Quem vai ler"
          options={clinicians.map((one) => [one.uid, `${one.name}, ${one.crm}`])}
        />
        {only ? (
          <div className={styles.only}>
            <p>
              <strong>{`Só a anotação de ${fullDate(only.day)}`}</strong>
              {only.words.length > 0 && <span>{`: ${only.words.join(', ')}`}</span>}
            </p>
            <p>
              <ButtonLink to="/diario/compartilhar" variant="quiet" size="small">
                Escolher vários dias
              </ButtonLink>
            </p>
          </div>
        ) : (
          <div className={styles.days}>
            <TextField {...form.field('from')} type="date" label="Do dia" />
            <TextField {...form.field('to')} type="date" label="Até o dia" />
            <p>O que você escrever até o último dia também entra.</p>
          </div>
        )}
        <fieldset className={styles.parts}>
          <legend>As palavras e a intensidade sempre entram. O que mais?</legend>
          <Choice
            type="checkbox"
            checked={parts.notes}
            onChange={({ target: { checked } }) => setParts({ ...parts, notes: checked })}
          >
            Também minhas notas.
          </Choice>
          <Choice
            type="checkbox"
            checked={parts.practices}
            onChange={({ target: { checked } }) => setParts({ ...parts, practices: checked })}
          >
            Também minhas práticas e meus passos.
          </Choice>
          {!only && <p>Com as práticas, vai também o que você responder em “Sua semana” nesses dias.</p>}
        </fieldset>
        <TextField
          {...form.field('until')}
          type="date"
          label="Termina em"
          hint={`No máximo ${fullDate(latestEnd(now))}. Você pode encerrar antes, quando quiser.`}
        />
      </Form>
      {signInAgain}
    </>
  );
}

/** Shows what the clinician will see, and asks for the consent. */
function Preview({
  draft: { id, clinicianUid, scope, entries, unreadable, titles },
  reader,
  today,
  onBack,
  onGranted,
}: {
  draft: Draft;
  reader: Clinician;
  today: string;
  onBack: () => void;
  onGranted: (share: DiaryShare) => void;
}) {
  const uid = usePatientUid();
  const { withSession, signInAgain } = useSignInAgain();
  const { pending, failure, run } = useAction();
  const revalidator = useRevalidator();
  const box = useFocused<HTMLElement>();
  const consent = consentText(reader, scope);

  const grant = () =>
    run(async () => {
      try {
        const share = await withSession(async () =>
          (await client.diaryShares(uid)).grant({ id, clinicianUid, scope, consentVersion, consent }),
        );
        onGranted(share);
        await revalidator.revalidate();
      } catch (error) {
        // Shows the clinician's present name and CRM in the text of the consent.
        if (hasCode(error, 'documents/consent-changed')) await revalidator.revalidate();
        throw error;
      }
    });

  return (
    <section ref={box} className={styles.preview} tabIndex={-1} aria-labelledby="como-vai-ver">
      <h3 id="como-vai-ver">{`Como ${reader.name} vai ver`}</h3>
      <div className={styles.sheet}>
        {entries.length === 0 ? (
          <p>
            {scope.to >= today
              ? `Ainda não há anotações nesses dias. ${reader.name} vê o que você escrever até ${shortDay(scope.to, today)}.`
              : 'Não há anotações nesses dias.'}
          </p>
        ) : (
          <GrantedEntries entries={entries} titles={titles} today={today} />
        )}
        {unreadable > 0 && (
          <p className={styles.quiet}>
            {counted(unreadable, 'anotação não pôde ser aberta', 'anotações não puderam ser abertas')}
          </p>
        )}
      </div>
      <h3>O que você autoriza</h3>
      <p className={styles.consent}>{consent}</p>
      <FormMessage {...failure} />
      <p className={styles.actions}>
        <Button aria-disabled={pending || undefined} onClick={grant}>
          {pending ? 'Autorizando…' : 'Autorizo'}
        </Button>
        <Button variant="quiet" onClick={onBack}>
          Voltar e mudar
        </Button>
      </p>
      {signInAgain}
    </section>
  );
}

function Receipt({
  share,
  now,
  mailed,
  onAgain,
}: {
  share: DiaryShare;
  now: number;
  mailed: boolean;
  onAgain: () => void;
}) {
  const box = useFocused<HTMLElement>();
  return (
    <section ref={box} className={styles.preview} tabIndex={-1} aria-labelledby="recibo">
      <h3 id="recibo">Autorizado.</h3>
      <p className={styles.consent}>{share.consent}</p>
      <p>
        <span>{`Vale desde ${dayAndTime(share.grantedAt, now)}. Este texto fica guardado com a autorização.`}</span>
        {mailed && <span> Um recibo, sem nada do diário, vai para o seu e-mail.</span>}
      </p>
      <p>
        <Button variant="quiet" onClick={onAgain}>
          Dar outra autorização
        </Button>
      </p>
    </section>
  );
}

/** Moves the focus to an element when it appears. */
function useFocused<Shown extends HTMLElement>() {
  const shown = useRef<Shown>(null);
  useEffect(() => shown.current?.focus(), []);
  return shown;
}
