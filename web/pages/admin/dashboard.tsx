import { Download, Mail, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { Counts } from '#contract/activity.ts';
import { type MainAxis, mainAxes } from '#contract/axes.ts';
import { paths } from '#contract/paths.ts';
import { client } from '#web/app/client.ts';
import { servicesContext, useSession } from '#web/app/services.ts';
import { isAdmin } from '#web/app/session.ts';
import type { MuralPlan } from '#web/components/art/draw-mural.ts';
import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { Mural } from '#web/components/art/mural.tsx';
import { ButtonAnchor, ButtonLink } from '#web/components/button.tsx';
import { classNames } from '#web/components/class-names.ts';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { AxisIcon } from '#web/components/practice/practice-icons.tsx';
import { axisNames } from '#web/components/practice/practice-names.ts';
import { wholeNumber } from '#web/components/whole-number.ts';
import { NewUsers } from './components/page-parts.tsx';
import { FirstSteps, PublishSteps } from './dashboard/first-steps.tsx';
import { Latest, LatestSkeleton } from './dashboard/latest.tsx';
import { OperationState } from './dashboard/operation-state.tsx';
import { PracticeUse, PracticeUseSkeleton } from './dashboard/practice-use.tsx';
import styles from './dashboard.module.css';

const wall: MuralPlan = {
  side: 60,
  columns: 5,
  rows: 4,
  seed: 31,
  flowers: [{ column: 3, row: 2, tint: 'sage' }],
  quiet: [
    ['tone', 60],
    ['deep', 40],
  ],
};

export function loader({ context, request }: LoaderFunctionArgs) {
  const byAdmin = isAdmin(context.get(servicesContext).session.getSnapshot());
  return {
    counts: deferred(client.documents.getCounts(request.signal)),
    latest: deferred(client.documents.getLatestActivities(request.signal)),
    site: deferred(client.site.getDraft(request.signal)),
    operation: byAdmin ? deferred(client.documents.getOperation(request.signal)) : undefined,
    use: deferred(client.documents.getPracticeTotals(undefined, request.signal)),
  };
}

/** The dashboard. It shows counts with links, and the latest changes or the first steps. */
export function Component() {
  const { counts, latest, site, operation, use } = useLoaderData<typeof loader>();
  const byAdmin = isAdmin(useSession());
  return (
    <>
      <PageTitle title="Início" />
      <h1>Início</h1>
      <Deferred value={counts} skeleton={<Cards byAdmin={byAdmin} />}>
        {(loaded) => (
          <>
            <Cards counts={loaded} byAdmin={byAdmin} />
            {loaded.newUsers && <NewUsers counts={loaded.newUsers} />}
          </>
        )}
      </Deferred>
      {byAdmin && (
        <Deferred value={site} skeleton={null}>
          {(draft) => <PublishSteps draft={draft} />}
        </Deferred>
      )}
      <div className={styles.more}>
        <Deferred value={latest} skeleton={<LatestSkeleton />}>
          {(activities) =>
            activities.length > 0 ? <Latest activities={activities} /> : <FirstSteps byAdmin={byAdmin} />
          }
        </Deferred>
        {byAdmin && <NewsletterExport />}
      </div>
      <Deferred value={use} skeleton={<PracticeUseSkeleton />}>
        {(totals) => <PracticeUse current={totals} byAdmin={byAdmin} />}
      </Deferred>
      {operation && (
        <Deferred value={operation} skeleton={null}>
          {({ lines }) => <OperationState lines={lines} />}
        </Deferred>
      )}
    </>
  );
}

/** The cards. Without `counts`, they show placeholders instead of the numbers. */
function Cards({ counts, byAdmin }: { counts?: Counts; byAdmin: boolean }) {
  return (
    <ul className={classNames(styles.cards, byAdmin && styles.withUsers)}>
      {byAdmin && (
        <li className={styles.wide}>
          <Link className={classNames(styles.card, styles.users)} to="/admin/users">
            <Mural plan={wall} align="xMaxYMid" />
            <span className={styles.label}>
              <Users /> Usuários
            </span>
            <CountOf>{counts?.users}</CountOf>
          </Link>
        </li>
      )}
      {mainAxes.map((axis) => (
        <li key={axis} data-axis={axis}>
          <AxisCard axis={axis} count={counts?.[axis]} />
        </li>
      ))}
    </ul>
  );
}

function AxisCard({ axis, count }: { axis: MainAxis; count: number | undefined }) {
  return (
    <Link className={styles.card} to={`/admin/${axis}`}>
      <Hexaflex lit={0} className={styles.petal} />
      <span className={styles.label}>
        <AxisIcon axis={axis} /> <span>{axisNames[axis]}</span>
      </span>
      <CountOf>{count}</CountOf>
    </Link>
  );
}

function CountOf({ children }: { children: number | undefined }): ReactNode {
  if (children === undefined) return <SkeletonBar width="short" />;
  return <span className={styles.count}>{wholeNumber(children)}</span>;
}

/** Exports the subscribers for the program that sends the newsletter. */
function NewsletterExport() {
  return (
    <section className={styles.newsletter} aria-labelledby="carta">
      <h2 id="carta">Carta</h2>
      <p>As pessoas que pediram e confirmaram a carta, cada uma com o seu link para sair.</p>
      <ButtonLink to="/admin/carta" variant="quiet" size="small">
        <Mail aria-hidden="true" /> Escrever a carta
      </ButtonLink>
      <ButtonAnchor href={paths.documents.newsletterCsv} download variant="quiet" size="small">
        <Download aria-hidden="true" /> Exportar a carta (CSV)
      </ButtonAnchor>
    </section>
  );
}
