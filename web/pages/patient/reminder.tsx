import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { client } from '#web/app/client.ts';
import { servicesContext } from '#web/app/services.ts';
import { deferred } from '#web/components/deferred.tsx';
import { PatientPage } from './components/patient-page.tsx';
import { ReminderForm } from './reminder/reminder-form.tsx';

/** Loads the reminder; the page appears before it arrives. */
export async function loader({ context, request: { signal } }: LoaderFunctionArgs) {
  const present = await context.get(servicesContext).session.ready();
  // The guard has already redirected visitors.
  const uid = present.status === 'signed-in' ? present.session.user.uid : '';
  return { uid, loaded: deferred(client.reminder().then((reminder) => reminder.read(signal))) };
}

/** The page of the reminder by e-mail. */
export function Component() {
  const { uid, loaded } = useLoaderData<typeof loader>();
  return (
    <PatientPage
      {...{ uid, loaded }}
      title="Um lembrete por e-mail"
      lead="Discreto, nos dias que você escolher. Ele só chega se você o ligar aqui."
      links={[['/semana', 'Sua semana']]}
    >
      {(reminder) => <ReminderForm uid={uid} first={reminder} />}
    </PatientPage>
  );
}
