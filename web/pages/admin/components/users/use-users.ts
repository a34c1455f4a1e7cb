import { useEffect, useRef, useState } from 'react';
import { ClientError } from '#client/client-error.ts';
import { errorMessages } from '#contract/errors.ts';
import type { ListedUser, UsersPage } from '#contract/user.ts';
import { useServices } from '#web/app/services-context.ts';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { selectionOf, type UsersQuery } from './users-query.ts';

/** Holds the users of a list that are loaded so far. A new `first` page starts again. */
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

  // The pressed button may be gone, so the focus moves to the first new user.
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
    /** Replaces a user's record in the list. */
    replace: (user: ListedUser) => setLoaded({ first, more, changed: [...changed, user] }),
    signInAgain,
  };
}

/** The id of the element with the user's name, for the focus. */
export const rowId = (uid: string) => `pessoa-${uid}`;
