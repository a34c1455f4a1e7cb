import { ClipboardPaste, Plus } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useLocation } from 'react-router';
import type { ReadSummaries } from '#client/library.ts';
import { listOf, type MainAxis } from '#contract/axes.ts';
import { client } from '#web/app/client.ts';
import { servicesContext } from '#web/app/services.ts';
import { isAdmin } from '#web/app/session.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { AxisIcon } from '#web/components/practice/practice-icons.tsx';
import { axisNames } from '#web/components/practice/practice-names.ts';
import { ActivityCardSkeleton } from './components/activity/activity-card.tsx';
import { newActivityPath, searchIn } from './components/activity/activity-paths.ts';
import { TitleBar } from './components/page-parts.tsx';
import { SearchBox } from './components/search-box.tsx';
import { ActivityList } from './list/activity-list.tsx';
import { OtherAxes } from './list/other-axes.tsx';
import styles from './list.module.css';

/** Creates the loader for the list page of an axis. The four list pages share this code. */
export const loaderOf =
  (axis: MainAxis) =>
  ({ context, request: { signal } }: LoaderFunctionArgs) => {
    const names = isAdmin(context.get(servicesContext).session.getSnapshot());
    return { axis, list: deferred(client.documents.getActivitySummaries(listOf(axis), { names, signal })) };
  };
type Loaded = { axis: MainAxis; list: Promise<ReadSummaries> };

export function Component() {
  const loaded = useLoaderData<Loaded>();
  return <ListPage key={loaded.axis} {...loaded} />;
}

function ListPage({ axis, list }: Loaded) {
  const { state } = useLocation();
  const [search, setSearch] = useState(() => searchIn(state));
  const heading = useRef<HTMLHeadingElement>(null);
  const focusHeading = useCallback(() => heading.current?.focus(), []);

  return (
    <section className={styles.page} data-axis={axis}>
      <PageTitle title={axisNames[axis]} />
      <TitleBar>
        <h1 ref={heading} className={styles.title} tabIndex={-1}>
          <AxisIcon axis={axis} /> <span>{axisNames[axis]}</span>
        </h1>
        <SearchBox label="Procurar por título ou conteúdo" value={search} onValue={setSearch} />
        <ButtonLink to={newActivityPath(axis)} size="small">
          <Plus /> Nova Act
        </ButtonLink>
        <ButtonLink to={`/admin/importar?axis=${axis}`} size="small" variant="quiet">
          <ClipboardPaste /> Importar
        </ButtonLink>
      </TitleBar>
      <Deferred value={list} skeleton={<ListSkeleton />}>
        {(read) => <ActivityList axis={axis} list={read} search={search} onEmptied={focusHeading} />}
      </Deferred>
      {search.trim() !== '' && <OtherAxes axis={axis} search={search} />}
    </section>
  );
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
