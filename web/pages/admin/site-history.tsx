import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { SiteVersion } from '#contract/site/draft.ts';
import { servicesContext } from '#web/app/services-context.ts';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { EmptyState } from './components/empty-state.tsx';
import { VersionRow } from './components/site/version-row.tsx';
import styles from './site-history.module.css';

export function loader({ context, request }: LoaderFunctionArgs) {
  const { site } = context.get(servicesContext).client;
  return { versions: deferred(site.listVersions(request.signal)) };
}

/** The published versions of the site. */
export function Component() {
  const { versions } = useLoaderData<typeof loader>();
  return (
    <>
      <PageTitle title="Histórico do site" />
      <h1>Histórico</h1>
      <Deferred value={versions} skeleton={<SkeletonBar width="full" />}>
        {(loaded) => <Versions versions={loaded} />}
      </Deferred>
    </>
  );
}

function Versions({ versions }: { versions: SiteVersion[] }) {
  if (versions.length === 0) return <EmptyState>Nada foi publicado ainda.</EmptyState>;
  return (
    <ol className={styles.versions} reversed>
      {versions.map((version, index) => (
        <VersionRow key={version.version} version={version} current={index === 0} />
      ))}
    </ol>
  );
}
