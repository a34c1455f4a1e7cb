import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { client } from '#web/app/client.ts';
import { servicesContext } from '#web/app/services.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { Loading } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { useOwner } from './components/use-owner.ts';
import styles from './reminder/reminder.module.css';
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
  if (!useOwner(uid)) return <Loading />;
  return (
    <div className={styles.page} key={uid}>
      <PageTitle title="Um lembrete por e-mail" />
      <header className={styles.head}>
        <h1 className="page-title">Um lembrete por e-mail</h1>
        <p className="lead">Discreto, nos dias que você escolher. Ele só chega se você o ligar aqui.</p>
        <p>
          <ButtonLink to="/semana" variant="quiet" size="small">
            Sua semana
          </ButtonLink>
        </p>
      </header>
      <Deferred value={loaded} skeleton={<SkeletonBar width="full" />}>
        {(reminder) => <ReminderForm uid={uid} first={reminder} />}
      </Deferred>
    </div>
  );
}
