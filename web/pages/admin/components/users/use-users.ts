import { useEffect, useRef, useState } from 'react';
import { ClientError } from '#client/client-error.ts';
import { errorMessages } from '#contract/errors.ts';
import type { ListedUser, UsersPage } from '#contract/user.ts';
import { useServices } from '#web/app/services-context.ts';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { selectionOf, type UsersQuery } from './users-query.ts';

/** The people of a list as far as they have been loaded. A new `first` page begins anew. */
export function useUsers(query: UsersQuery, first: UsersPage) {
  const { client } = useServices();
  const { withSession, signInAgain } = useSignInAgain();
  const [loaded, setLoaded] = useState({ first, more: [] as UsersPage[], changed: [] as ListedUser[] });
  const [pending, setPending] = useState(false);
  const [message, setMessage] = useState('');
  const focusNext = useRef<string>(undefined);

  const { more, changed } = loaded.first === first ? loaded : { more: [], changed: [] };
  const pages = [first, ...more];
  const users = pages
    .flatMap(({ documents }) => documents)
    .map((user) => changed.findLast(({ id }) => id === user.id) ?? user);
  const next = pages.at(-1)?.next ?? null;

  // The button that was pressed may be gone; whoever reads on, reads on with the first one that came.
  useEffect(() => {
    if (focusNext.current === undefined || more.length === 0) return;
    document.getElementById(rowId(focusNext.current))?.focus();
    focusNext.current = undefined;
  }, [more]);

  async function loadMore() {
    if (pending || next === null) return;
    setPending(true);
    setMessage('');
    try {
      const page = await withSession(() =>
        client.documents.listUsers({ ...selectionOf(query), after: next }),
      );
      focusNext.current = page.documents[0]?.id;
      setLoaded({ first, more: [...more, page], changed });
    } catch (error) {
      setMessage(error instanceof ClientError ? error.message : errorMessages.unexpected);
    } finally {
      setPending(false);
    }
  }

  return {
    users,
    total: first.total,
    totalIsExact: first.totalIsExact,
    hasMore: next !== null,
    pending,
    message,
    loadMore: () => void loadMore(),
    /** Shows a record as it is now. */
    replace: (user: ListedUser) => setLoaded({ first, more, changed: [...changed, user] }),
    signInAgain,
  };
}

/** What the name of a person in the list can be focused by. */
export const rowId = (uid: string) => `pessoa-${uid}`;
