import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useNavigate } from 'react-router';
import * as z from 'zod/mini';
import { dayAfter } from '#contract/calendar.ts';
import { day } from '#contract/diary/entry.ts';
import { limits } from '#contract/limits.ts';
import { client } from '#web/app/client.ts';
import { calendarDay } from '#web/components/date-and-time.ts';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { TextAreaField, TextField } from '#web/components/form/field.tsx';
import { Form, SubmitButton } from '#web/components/form/form.tsx';
import { RadioGroup } from '#web/components/form/radio-group.tsx';
import { useForm } from '#web/components/form/use-form.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { useToast } from '#web/components/toast.tsx';
import { EmptyState } from './components/page-parts.tsx';
import { orNoReading, WeakSession } from './components/shared-diary.tsx';
import { type Choice, Picker } from './propose/picker.tsx';
import styles from './propose/propose.module.css';

type Loaded = {
  patients: Choice[];
  practices: Choice[];
  /** What the URL names. */
  patient: Choice | undefined;
  practice: Choice | undefined;
};

export function loader({ request: { url, signal } }: LoaderFunctionArgs) {
  const search = new URL(url).searchParams;
  return { loaded: deferred(orNoReading(load(search.get('paciente'), search.get('pratica'), signal))) };
}

async function load(uid: string | null, id: string | null, signal: AbortSignal): Promise<Loaded> {
  const clinicians = await client.clinicians();
  const [diaries, page, practices] = await Promise.all([
    clinicians.sharedDiaries(signal),
    id === null ? undefined : client.documents.getPracticePage(id, signal),
    findPractices('', signal),
  ]);
  const patients = diaries.map((diary): Choice => [diary.uid, diary.displayName]);
  const practice = page?.practice;
  return {
    ...{ patients, practices },
    patient: patients.find(([one]) => one === uid),
    practice: practice ? [practice.id, practice.title] : undefined,
  };
}

/** The page on which a clinician proposes a practice to a patient. */
export function Component() {
  const { loaded } = useLoaderData<typeof loader>();
  return (
    <section className={styles.page}>
      <PageTitle title="Propor uma prática" />
      <h1>Propor uma prática</h1>
      <Deferred value={loaded} skeleton={<SkeletonBar width="full" />}>
        {(found) => {
          if (found === 'weak') return <WeakSession />;
          if (found === 'nothing')
            return (
              <EmptyState>
                Esta página é de quem tem nome e CRM para ler diários. A administração escolhe essa pessoa em{' '}
                <Link to="/admin/users">Usuários</Link>.
              </EmptyState>
            );
          return <ProposalForm {...found} />;
        }}
      </Deferred>
    </section>
  );
}

const timesOptions = (['1', '2', '3', '4', '5', '6', '7'] as const).map((times) => [times, times] as const);

const proposal = z.object({
  uid: z.string('Escolha para quem.'),
  activityId: z.string('Escolha uma prática.'),
  fromDay: day,
  toDay: day,
  timesPerWeek: z.enum(['1', '2', '3', '4', '5', '6', '7']),
  message: z.optional(
    z
      .string()
      .check(
        z.maxLength(
          limits.assignmentMessageMaxLength,
          `Escreva até ${limits.assignmentMessageMaxLength} letras.`,
        ),
      ),
  ),
});

function ProposalForm({ patients, practices, patient, practice }: Loaded) {
  const navigate = useNavigate();
  const notify = useToast();
  // The same lists in every rendering, because a new one would repeat the search.
  const [first] = useState(() => ({
    patients: patient ? [patient] : patients,
    practices: practice ? [practice] : practices,
  }));
  // The same proposal keeps its id, so that a repeated request changes nothing; a changed one is another.
  const [ids] = useState(() => new Map<string, string>());
  const form = useForm({
    schema: proposal,
    initial: {
      ...{ uid: patient?.[0] ?? '', activityId: practice?.[0] ?? '', message: '', timesPerWeek: '3' },
      ...{ fromDay: calendarDay(), toDay: dayAfter(calendarDay(), 6) },
    },
    labels: {
      ...{ uid: 'Para quem', activityId: 'Qual prática', fromDay: 'Do dia', toDay: 'Até o dia' },
      ...{ timesPerWeek: 'Vezes por semana', message: 'Mensagem' },
    },
    submit: async (input) => {
      const { uid, timesPerWeek, message = '', ...days } = input;
      const id = ids.get(JSON.stringify(input)) ?? crypto.randomUUID();
      ids.set(JSON.stringify(input), id);
      const week = await client.week();
      await week.propose(uid, { id, ...days, message, timesPerWeek: Number(timesPerWeek) });
      notify('Prática proposta.');
      void navigate(`/admin/pacientes/${uid}`);
    },
  });
  return (
    <Form
      form={form}
      actions={
        <SubmitButton pending={form.pending} working="Propondo…">
          Propor
        </SubmitButton>
      }
    >
      <Picker
        {...form.field('uid')}
        legend="Para quem"
        search="Procurar uma pessoa por nome ou e-mail"
        first={first.patients}
        find={findUsers}
      />
      <Picker
        {...form.field('activityId')}
        legend="Qual prática"
        search="Procurar uma prática"
        first={first.practices}
        find={findPractices}
      />
      <RadioGroup {...form.field('timesPerWeek')} legend="Vezes por semana" options={timesOptions} />
      <div className={styles.dates}>
        <TextField {...form.field('fromDay')} type="date" label="Do dia" />
        <TextField {...form.field('toDay')} type="date" label="Até o dia" hint="No máximo quatro semanas." />
      </div>
      <TextAreaField
        {...form.field('message')}
        required={false}
        rows={4}
        label="Mensagem (opcional)"
        hint="Só essa pessoa e você leem. Não é aviso: ela vê quando entrar."
      />
    </Form>
  );
}

const findUsers = async (search: string, signal: AbortSignal): Promise<Choice[]> =>
  (await client.documents.listUsers({ search, limit: 8 }, signal)).documents.map(
    ({ id, displayName, email }) => [id, `${displayName} (${email})`],
  );

const findPractices = async (search: string, signal: AbortSignal): Promise<Choice[]> =>
  (await client.documents.getPractices({ search }, signal)).practices
    .slice(0, 8)
    .map(({ id, title }) => [id, title]);
