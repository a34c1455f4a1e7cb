import { Download, UserPlus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useLoaderData, useSearchParams } from 'react-router';
import type { ListedUser, UsersPage } from '#contract/user.ts';
import { Button, ButtonAnchor, ButtonLink } from '#web/components/button.tsx';
import { Deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { FormMessage } from '#web/components/notice.tsx';
import { wholeNumber } from '#web/components/whole-number.ts';
import { refreshClinicians } from './components/clinicians.ts';
import { EmptyState, NewUsers, TitleBar } from './components/page-parts.tsx';
import { SearchBox } from './components/search-box.tsx';
import { EditUser } from './users/edit-user.tsx';
import { useUsers } from './users/use-users.ts';
import { Filters } from './users/users-filters.tsx';
import { exportPath, hasFilters, loadUsers, searchParamsOf, type TableQuery } from './users/users-query.ts';
import { UsersTable } from './users/users-table.tsx';
import styles from './users.module.css';

export const loader = loadUsers;

/** The delay between the last key press and the search. It is longer than the usual pause between keys. */
const typingPauseMs = 300;

/** The page, at two addresses, on which admins find users and change their roles, flags and categories. */
export function Component() {
  const { query, first, counts } = useLoaderData<typeof loadUsers>();
  const search = useSearch(query);
  return (
    <section className={styles.page}>
      <PageTitle title="Usuários" />
      <TitleBar>
        <h1>Usuários</h1>
        <SearchBox label="Procurar por nome ou e-mail" value={search.typed} onValue={search.type} />
        <ButtonAnchor href={exportPath(query)} download variant="quiet" size="small">
          <Download aria-hidden="true" /> Exportar (CSV)
        </ButtonAnchor>
        <ButtonLink to="/register" variant="quiet" size="small">
          <UserPlus aria-hidden="true" /> Convidar uma pessoa
        </ButtonLink>
      </TitleBar>
      <p className={styles.intro}>
        Quem tem conta, e o que cada pessoa pode. Cada pessoa vê, na própria conta, quem mudou o quê.
      </p>
      <Deferred value={counts} skeleton={<SkeletonBar width="short" />}>
        {({ newUsers }) => newUsers && <NewUsers counts={newUsers} />}
      </Deferred>
      <Filters query={query} />
      <Deferred value={first} skeleton={<UsersSkeleton />}>
        {(page) => <Users query={query} first={page} />}
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

function Users({ query, first }: { query: TableQuery; first: UsersPage }) {
  const list = useUsers(query, first);
  const { users } = list;
  const [editing, setEditing] = useState<ListedUser>();
  return (
    <>
      <p className={styles.count} role="status">
        {countSentence(users.length, list)}
      </p>
      {users.length === 0 ? (
        <EmptyState>{emptySentence(query)}</EmptyState>
      ) : (
        <UsersTable query={query} users={users} onEdit={setEditing} />
      )}
      <FormMessage {...list.failure} />
      {list.hasMore && (
        <p>
          <Button variant="quiet" aria-disabled={list.pending || undefined} onClick={list.loadMore}>
            {list.pending ? 'Carregando…' : 'Carregar mais'}
          </Button>
        </p>
      )}
      {editing && (
        <EditUser
          user={editing}
          onChanged={(user) => {
            // Keep the dialog closed if the admin has closed it meanwhile.
            setEditing((before) => before && user);
            list.replace(user);
            // A user who is no longer an admin is no longer a clinician.
            refreshClinicians().catch(() => undefined);
          }}
          onClose={() => setEditing(undefined)}
        />
      )}
      {list.signInAgain}
    </>
  );
}

function emptySentence(query: TableQuery): string {
  if (query.search === '') return hasFilters(query) ? 'Ninguém com esses filtros.' : 'Ninguém ainda.';
  const where = hasFilters(query) ? 'no nome ou no e-mail, com esses filtros' : 'no nome ou no e-mail';
  return `Ninguém com "${query.search}" ${where}. Uma ou duas letras valem só no começo de uma palavra.`;
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
