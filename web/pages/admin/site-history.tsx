import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { SiteContent } from '#contract/site/content.ts';
import type { SiteVersion } from '#contract/site/draft.ts';
import { client } from '#web/app/client.ts';
import { Button } from '#web/components/button.tsx';
import { dateAndTime } from '#web/components/date-and-time.ts';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { EmptyState } from './components/page-parts.tsx';
import { Differences } from './components/site/differences.tsx';
import { EraseVersion } from './components/site/erase-version.tsx';
import { RestoreVersion } from './components/site/restore-version.tsx';

import styles from './site-history.module.css';

export function loader({ request }: LoaderFunctionArgs) {
  return { versions: deferred(client.site.listVersions(request.signal)) };
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

type Pair = [before: SiteContent, after: SiteContent];

/** One published version: who published it and when, its note, its changes, and a button to restore it. */
function VersionRow({ version: row, current }: { version: SiteVersion; current: boolean }) {
  const { version, note, publishedAt, publishedBy } = row;
  const [changes, setChanges] = useState<Promise<Pair>>();

  // The version before version 1 exists, too: version 0 is the sample content.
  const read = () =>
    deferred(Promise.all([client.site.getVersion(version - 1), client.site.getVersion(version)]));

  return (
    <li className={styles.version}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h2>
            <span>{`Versão ${version}`}</span>
            {current && <span className={styles.current}>No site agora</span>}
          </h2>
          <p className={styles.when}>{`${publishedBy?.name ?? 'Alguém'}, ${dateAndTime(publishedAt)}`}</p>
          {note && <p className={styles.note}>{note}</p>}
        </div>
        <div className={styles.actions}>
          <Button
            variant="quiet"
            size="small"
            aria-expanded={changes !== undefined}
            onClick={() => setChanges(changes ? undefined : read())}
          >
            {changes ? 'Esconder' : 'Ver o que mudou'}
          </Button>
          {!current && <RestoreVersion version={version} />}
          {!current && <EraseVersion version={version} />}
        </div>
      </div>
      {changes && (
        <Deferred value={changes} skeleton={<SkeletonBar width="full" />} retry={() => setChanges(read())}>
          {([before, after]) => <Differences before={before} after={after} />}
        </Deferred>
      )}
    </li>
  );
}
