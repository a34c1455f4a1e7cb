import { Plus } from 'lucide-react';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { ReadList } from '#client/documents.ts';
import type { Activity } from '#contract/activity.ts';
import { listOf, type MainAxis } from '#contract/axes.ts';
import { ActivityCard, ActivityCardSkeleton } from '#web/parts/activity-card.tsx';
import { ActivityReader } from '#web/parts/activity-reader.tsx';
import { AxisIcon } from '#web/parts/axis-icon.tsx';
import { axisNames } from '#web/parts/axis-names.ts';
import { ButtonLink } from '#web/parts/button.tsx';
import { Deferred, deferred } from '#web/parts/deferred.tsx';
import { DeleteActivity } from '#web/parts/delete-activity.tsx';
import { EmptyState } from '#web/parts/empty-state.tsx';
import { Link } from '#web/parts/link.tsx';
import { PageTitle } from '#web/parts/page-title.tsx';
import { SearchBox } from '#web/parts/search-box.tsx';
import { SkeletonBar } from '#web/parts/skeleton.tsx';
import { useToast } from '#web/parts/toast.tsx';
import { servicesContext } from '#web/services-context.ts';
import styles from './list.module.css';

/** The loader of one axis's list: /admin/mind and its three neighbours share the rest. */
export const loaderOf =
  (axis: MainAxis) =>
  ({ context, request }: LoaderFunctionArgs) => {
    const { documents } = context.get(servicesContext).client;
    return { axis, list: deferred(documents.getActivities(listOf(axis), request.signal)) };
  };
type Loaded = { axis: MainAxis; list: Promise<ReadList> };

export function Component() {
  const loaded = useLoaderData<Loaded>();
  return <ListPage key={loaded.axis} {...loaded} />;
}

function ListPage({ axis, list }: Loaded) {
  const [search, setSearch] = useState('');
  const heading = useRef<HTMLHeadingElement>(null);
  const focusHeading = useCallback(() => heading.current?.focus(), []);

  return (
    <section className={styles.page} data-axis={axis}>
      <PageTitle title={axisNames[axis]} />
      <div className={styles.bar}>
        <h1 ref={heading} tabIndex={-1}>
          <AxisIcon axis={axis} /> {axisNames[axis]}
        </h1>
        <SearchBox label="Procurar por título ou conteúdo" value={search} onValue={setSearch} />
        <ButtonLink to={newActivityTarget(axis)} size="small">
          <Plus /> Nova Act
        </ButtonLink>
      </div>
      <Deferred value={list} skeleton={<ListSkeleton />}>
        {({ activities }) => (
          <ActivityList axis={axis} activities={activities} search={search} onDeleted={focusHeading} />
        )}
      </Deferred>
    </section>
  );
}

function ActivityList({
  axis,
  activities,
  search,
  onDeleted,
}: {
  axis: MainAxis;
  activities: Activity[];
  search: string;
  /** The pressed button has left the page with its card: the focus needs another place. */
  onDeleted: () => void;
}) {
  const notify = useToast();
  const [reading, setReading] = useState<Activity>();
  const [deleting, setDeleting] = useState<Activity>();
  const [deletedIds, setDeletedIds] = useState<ReadonlySet<string>>(new Set());

  // Only once the dialog is gone can anything behind it take the focus.
  useEffect(() => {
    if (deletedIds.size > 0) onDeleted();
  }, [deletedIds, onDeleted]);

  const present = useMemo(
    () =>
      activities
        .filter(({ id }) => !deletedIds.has(id))
        .map((activity) => ({ activity, text: folded(`${activity.title}\n${activity.content}`) })),
    [activities, deletedIds],
  );
  const wanted = folded(useDeferredValue(search).trim());
  const found = present.filter(({ text }) => text.includes(wanted));

  return (
    <>
      <p className={styles.count} role="status">
        {countSentence(found.length, present.length)}
      </p>
      {present.length === 0 && (
        <EmptyState>
          Nenhuma prática ainda. <Link to={newActivityTarget(axis)}>Crie a primeira.</Link>
        </EmptyState>
      )}
      {present.length > 0 && found.length === 0 && (
        <EmptyState>Nenhuma prática tem essas palavras no título ou no conteúdo.</EmptyState>
      )}
      <ul className={styles.cards}>
        {found.map(({ activity }) => (
          <li key={activity.id}>
            <ActivityCard
              activity={activity}
              onRead={() => setReading(activity)}
              onDelete={() => setDeleting(activity)}
            />
          </li>
        ))}
      </ul>
      {reading && <ActivityReader activity={reading} onClose={() => setReading(undefined)} />}
      {deleting && (
        <DeleteActivity
          activity={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => {
            setDeleting(undefined);
            setDeletedIds((before) => new Set(before).add(deleting.id));
            notify(`${deleting.title} deleted`);
          }}
        />
      )}
    </>
  );
}

/** Where a practice of this list is begun, its axis chosen already where the list has only one. */
const newActivityTarget = (axis: MainAxis) => `/admin/newact${axis === 'values' ? '' : `?axis=${axis}`}`;

/** Without accents and capitals, so that "respiracao" finds "Respiração". */
const folded = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function countSentence(found: number, all: number) {
  if (all === 0) return '';
  const practices = all === 1 ? '1 prática' : `${all} práticas`;
  return found === all ? practices : `${found} de ${practices}`;
}

function ListSkeleton() {
  return (
    <div className={styles.loading}>
      <SkeletonBar width="short" />
      <div className={styles.cards}>
        <ActivityCardSkeleton />
        <ActivityCardSkeleton />
        <ActivityCardSkeleton />
      </div>
    </div>
  );
}
