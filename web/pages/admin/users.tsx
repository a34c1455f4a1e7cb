import { useEffect, useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData, useSearchParams } from 'react-router';
import { ClientError } from '#client/client-error.ts';
import { errorMessages } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { UserRecord, UsersPage } from '#contract/user.ts';
import { Button } from '#web/parts/button.tsx';
import { Deferred, deferred } from '#web/parts/deferred.tsx';
import { EmptyState } from '#web/parts/empty-state.tsx';
import { FormMessage } from '#web/parts/form-message.tsx';
import { PageTitle } from '#web/parts/page-title.tsx';
import { SearchBox } from '#web/parts/search-box.tsx';
import { useSignInAgain } from '#web/parts/sign-in-again.tsx';
import { SkeletonBar } from '#web/parts/skeleton.tsx';
import { servicesContext, useServices } from '#web/services-context.ts';
import styles from './users.module.css';

const searchParam = 'busca';
/** Long enough for a word to be typed on. */
const typingPauseMs = 300;

export function loader({ context, request }: LoaderFunctionArgs) {
  const { documents } = context.get(servicesContext).client;
  const search = new URL(request.url).searchParams.get(searchParam)?.slice(0, limits.searchMaxLength) ?? '';
  return { search, first: deferred(documents.listUsers(search ? { search } : {}, request.signal)) };
}

/** Everybody who has an account, by name. */
export function Component() {
  const { search, first } = useLoaderData<typeof loader>();
  const [, setSearchParams] = useSearchParams();
  const [typed, setTyped] = useState(search);

  useEffect(() => {
    if (typed === search) return;
    const timer = setTimeout(
      () => setSearchParams(typed ? { [searchParam]: typed } : {}, { replace: true }),
      typingPauseMs,
    );
    return () => clearTimeout(timer);
  }, [typed, search, setSearchParams]);

  return (
    <section className={styles.page}>
      <PageTitle title="Usuários" />
      <div className={styles.bar}>
        <h1>Usuários</h1>
        <SearchBox label="Procurar por nome ou email" value={typed} onValue={setTyped} />
      </div>
      <Deferred value={first} skeleton={<UsersSkeleton />}>
        {(page) => <Users key={search} search={search} first={page} />}
      </Deferred>
    </section>
  );
}

function Users({ search, first }: { search: string; first: UsersPage }) {
  const { client } = useServices();
  const { withSession, signInAgain } = useSignInAgain();
  const [more, setMore] = useState<UsersPage[]>([]);
  const [pending, setPending] = useState(false);
  const [message, setMessage] = useState('');

  const pages = [first, ...more];
  const users = pages.flatMap(({ documents }) => documents);
  const next = pages.at(-1)?.next;

  async function loadMore(after: string) {
    if (pending) return;
    setPending(true);
    setMessage('');
    try {
      const page = await withSession(() => client.documents.listUsers({ ...(search && { search }), after }));
      setMore((before) => [...before, page]);
    } catch (error) {
      setMessage(error instanceof ClientError ? error.message : errorMessages.unexpected);
    } finally {
      setPending(false);
    }
  }

  if (users.length === 0) {
    return (
      <EmptyState>{search ? `Ninguém com "${search}" no nome ou no email.` : 'Ninguém ainda.'}</EmptyState>
    );
  }
  return (
    <>
      <p className={styles.count} role="status">
        {countSentence(users.length, first.total)}
      </p>
      <UserTable users={users} />
      <FormMessage message={message} />
      {next && (
        <p>
          <Button variant="quiet" aria-disabled={pending || undefined} onClick={() => void loadMore(next)}>
            {pending ? 'Carregando…' : 'Carregar mais'}
          </Button>
        </p>
      )}
      {signInAgain}
    </>
  );
}

/** The roles say what a table is where its parts are no longer laid out as one. */
function UserTable({ users }: { users: UserRecord[] }) {
  /* biome-ignore-start lint/a11y/noRedundantRoles: see above. */
  /* biome-ignore-start lint/a11y/useSemanticElements: see above. */
  return (
    <table className={styles.table} role="table">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader">Nome</th>
          <th role="columnheader">Email</th>
          <th role="columnheader">Categoria</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {users.map(({ id, displayName, email, category }) => (
          <tr key={id} role="row">
            <th role="rowheader">{displayName}</th>
            <td role="cell">{email}</td>
            <td role="cell">{category ?? <span className={styles.none}>sem categoria</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
  /* biome-ignore-end lint/a11y/useSemanticElements: see above. */
  /* biome-ignore-end lint/a11y/noRedundantRoles: see above. */
}

function countSentence(shown: number, total: number) {
  const all = total === 1 ? '1 pessoa' : `${total.toLocaleString('pt-BR')} pessoas`;
  return shown < total ? `${shown} de ${all}` : all;
}

function UsersSkeleton() {
  return (
    <div className={styles.skeleton}>
      <SkeletonBar width="full" />
      <SkeletonBar width="full" />
      <SkeletonBar width="full" />
    </div>
  );
}
