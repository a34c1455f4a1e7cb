import { Download } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { ListedUser, UsersPage } from '#contract/user.ts';
import { Button, ButtonAnchor } from '#web/components/button.tsx';
import { Deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { wholeNumber } from '#web/components/whole-number.ts';
import { EmptyState, TitleBar } from '../page-parts.tsx';
import { SearchBox } from '../search-box.tsx';
import { useUsers } from './use-users.ts';
import { exportPath, searchParamsOf, type TableQuery } from './users-query.ts';
import styles from './users-table.module.css';
import { type UsersColumn, UsersTable } from './users-table.tsx';

/** The delay between the last key press and the search. It is longer than the usual pause between keys. */
const typingPauseMs = 300;

type UsersAction = {
  label: string;
  of: (user: ListedUser) => ReactNode;
  /** The dialog of the action, if any; `replace` updates a record in the list. */
  opened?: (replace: (user: ListedUser) => void) => ReactNode;
};

/** A list of all users with a search, sort links, an export and the given columns. */
export function UsersView({
  title,
  intro,
  query,
  first,
  columns,
  nameOf,
  action,
}: {
  title: string;
  intro?: ReactNode;
  query: TableQuery;
  first: Promise<UsersPage>;
  columns: UsersColumn[];
  nameOf: (user: ListedUser) => ReactNode;
  action?: UsersAction;
}) {
  const search = useSearch(query);
  return (
    <section className={styles.page}>
      <PageTitle title={title} />
      <TitleBar>
        <h1>{title}</h1>
        <SearchBox label="Procurar por nome ou e-mail" value={search.typed} onValue={search.type} />
        <ButtonAnchor href={exportPath(query)} download variant="quiet" size="small">
          <Download aria-hidden="true" /> Exportar (CSV)
        </ButtonAnchor>
      </TitleBar>
      {intro && <p className={styles.intro}>{intro}</p>}
      <Deferred value={first} skeleton={<UsersSkeleton />}>
        {(page) => (
          <Users title={title} query={query} first={page} columns={columns} nameOf={nameOf} action={action} />
        )}
      </Deferred>
    </section>
  );
}

/** Writes the search into the URL after a pause, and updates the field if something else changes the URL. */
function useSearch(query: TableQuery) {
  const [, setSearchParams] = useSearchParams();
  const [typed, setTyped] = useState(query.search);
  const sent = useRef(query.search);

  useEffect(() => {
    if (query.search !== sent.current) setTyped(query.search);
    sent.current = query.search;
  }, [query.search]);

  useEffect(() => {
    if (typed === query.search) return;
    const timer = setTimeout(() => {
      sent.current = typed;
      setSearchParams(searchParamsOf({ ...query, search: typed }), { replace: true });
    }, typingPauseMs);
    return () => clearTimeout(timer);
  }, [typed, query, setSearchParams]);

  return { typed, type: setTyped };
}

function Users({
  title,
  query,
  first,
  columns,
  nameOf,
  action,
}: {
  title: string;
  query: TableQuery;
  first: UsersPage;
  columns: UsersColumn[];
  nameOf: (user: ListedUser) => ReactNode;
  action: UsersAction | undefined;
}) {
  const list = useUsers(query, first);
  const { users } = list;
  return (
    <>
      <p className={styles.count} role="status">
        {countSentence(users.length, list)}
      </p>
      {users.length === 0 ? (
        <EmptyState>
          {query.search
            ? `Ninguém com "${query.search}" no nome ou no e-mail. Uma ou duas letras valem só no começo de uma palavra.`
            : 'Ninguém ainda.'}
        </EmptyState>
      ) : (
        <UsersTable
          caption={title}
          query={query}
          users={users}
          columns={columns}
          nameOf={nameOf}
          {...(action && { action })}
        />
      )}
      <FormMessage {...list.failure} />
      {list.hasMore && (
        <p>
          <Button variant="quiet" aria-disabled={list.pending || undefined} onClick={list.loadMore}>
            {list.pending ? 'Carregando…' : 'Carregar mais'}
          </Button>
        </p>
      )}
      {action?.opened?.(list.replace)}
      {list.signInAgain}
    </>
  );
}

function countSentence(shown: number, { total, totalIsExact }: { total: number; totalIsExact: boolean }) {
  if (total === 0) return '';
  const number = wholeNumber(total);
  if (!totalIsExact) return `${shown} de mais de ${number} pessoas`;
  const all = total === 1 ? '1 pessoa' : `${number} pessoas`;
  return shown < total ? `${shown} de ${all}` : all;
}

function UsersSkeleton() {
  return (
    <div className={styles.skeleton}>
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <SkeletonBar key={row} width="full" />
      ))}
    </div>
  );
}
