import { Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { Counts } from '#contract/activity.ts';
import { type MainAxis, mainAxes } from '#contract/axes.ts';
import { drawMural, Mural } from '#web/parts/art/mural.tsx';
import { AxisIcon } from '#web/parts/axis-icon.tsx';
import { axisNames } from '#web/parts/axis-names.ts';
import { classNames } from '#web/parts/class-names.ts';
import { Deferred, deferred } from '#web/parts/deferred.tsx';
import { Hexaflex } from '#web/parts/hexaflex.tsx';
import { PageTitle } from '#web/parts/page-title.tsx';
import { SkeletonBar } from '#web/parts/skeleton.tsx';
import { servicesContext } from '#web/services-context.ts';
import styles from './dashboard.module.css';

const wall = drawMural({
  side: 60,
  columns: 5,
  rows: 4,
  seed: 31,
  flowers: [{ column: 3, row: 2, tint: 'sage' }],
  quiet: [
    ['tone', 60],
    ['deep', 40],
  ],
});

export function loader({ context, request }: LoaderFunctionArgs) {
  return { counts: deferred(context.get(servicesContext).client.documents.getCounts(request.signal)) };
}

/** How many of everything, each a way to it. */
export function Component() {
  const { counts } = useLoaderData<typeof loader>();
  return (
    <>
      <PageTitle title="Início" />
      <h1>Início</h1>
      <Deferred value={counts} skeleton={<Cards />}>
        {(loaded) => <Cards counts={loaded} />}
      </Deferred>
    </>
  );
}

/** The five cards; without counts, bars in the places of the numbers. */
function Cards({ counts }: { counts?: Counts }) {
  return (
    <ul className={styles.cards}>
      <li className={styles.wide}>
        <Link className={classNames(styles.card, styles.users)} to="/admin/users">
          <Mural drawn={wall} align="xMaxYMid" />
          <span className={styles.label}>
            <Users /> Usuários
          </span>
          <CountOf>{counts?.users}</CountOf>
        </Link>
      </li>
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
        <AxisIcon axis={axis} /> {axisNames[axis]}
      </span>
      <CountOf>{count}</CountOf>
    </Link>
  );
}

function CountOf({ children }: { children: number | undefined }): ReactNode {
  if (children === undefined) return <SkeletonBar width="short" />;
  return <span className={styles.count}>{children.toLocaleString('pt-BR')}</span>;
}
