import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { SharedDiary } from '#contract/diary/reading.ts';
import { client } from '#web/app/client.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { EmptyState, TitleBar } from './components/page-parts.tsx';
import { Grants, orNoReading, WeakSession } from './components/shared-diary.tsx';
import styles from './patients.module.css';

export function loader({ request }: LoaderFunctionArgs) {
  const reading = client.clinicians().then((clinicians) => clinicians.sharedDiaries(request.signal));
  return { diaries: deferred(orNoReading(reading)) };
}

/** The patients who show their diaries to the signed-in clinician. */
export function Component() {
  const { diaries } = useLoaderData<typeof loader>();
  return (
    <section className={styles.page}>
      <PageTitle title="Pacientes" />
      <TitleBar>
        <h1>Compartilham com você</h1>
        <ButtonLink to="/admin/propor" variant="quiet" size="small">
          Propor uma prática
        </ButtonLink>
      </TitleBar>
      <Deferred value={diaries} skeleton={<SkeletonBar width="full" />}>
        {(loaded) => {
          if (loaded === 'weak') return <WeakSession />;
          if (loaded === 'nothing')
            return (
              <EmptyState>
                Esta página é de quem tem nome e CRM para ler diários. A administração escolhe essa pessoa em{' '}
                <Link to="/admin/users">Usuários</Link>.
              </EmptyState>
            );
          return <Patients diaries={loaded} />;
        }}
      </Deferred>
    </section>
  );
}

function Patients({ diaries }: { diaries: SharedDiary[] }) {
  if (diaries.length === 0)
    return (
      <EmptyState>
        Ninguém compartilha o diário com você agora. Cada paciente escolhe se mostra, o que e até quando.
      </EmptyState>
    );
  return (
    <>
      <p className={styles.intro}>
        Cada paciente escolhe o que mostrar a você, e até quando. Quem só tem uma prática proposta por você
        também aparece aqui. Para as consultas: ninguém acompanha os diários em tempo real.
      </p>
      <ul className={styles.patients}>
        {diaries.map((diary) => (
          <li key={diary.uid} className={styles.patient}>
            <h2>
              <Link to={`/admin/pacientes/${diary.uid}`}>{diary.displayName}</Link>
            </h2>
            <Grants diary={diary} />
          </li>
        ))}
      </ul>
    </>
  );
}
