import { useEffect, useRef, useState } from 'react';
import type { ListedUser, UsersPage } from '#contract/user.ts';
import { client } from '#web/app/client.ts';
import { useSignInAgain } from '#web/components/form/sign-in-again.tsx';
import { useAction } from '#web/components/use-action.ts';
import { selectionOf, type TableQuery } from './users-query.ts';

/** Holds the pages of users that are loaded so far. A new `first` page replaces all of them. */
export function useUsers(query: TableQuery, first: UsersPage) {
  const { withSession, signInAgain } = useSignInAgain();
  const [loaded, setLoaded] = useState({ first, more: [] as UsersPage[], changed: [] as ListedUser[] });
  const { pending, failure, run } = useAction();
  const focusNext = useRef<string>(undefined);

  const { more, changed } = loaded.first === first ? loaded : { more: [], changed: [] };
  const pages = [first, ...more];
  const users = pages
    .flatMap(({ documents }) => documents)
    .map((user) => changed.filter(({ id }) => id === user.id).at(-1) ?? user);
  const next = pages.at(-1)?.next ?? null;

  // The pressed button can be gone, so the focus moves to the first new user.
  useEffect(() => {
    if (focusNext.current === undefined || more.length === 0) return;
    document.getElementById(rowId(focusNext.current))?.focus();
    focusNext.current = undefined;
  }, [more]);

  const loadMore = () =>
    run(async () => {
      if (next === null) return;
      const page = await withSession(() =>
        client.documents.listUsers({ ...selectionOf(query), after: next }),
      );
      focusNext.current = page.documents[0]?.id;
      setLoaded({ first, more: [...more, page], changed });
    });

  return {
    users,
    total: first.total,
    totalIsExact: first.totalIsExact,
    hasMore: next !== null,
    pending,
    failure,
    loadMore,
    /** Replaces a user's record in the list. */
    replace: (user: ListedUser) => setLoaded({ first, more, changed: [...changed, user] }),
    signInAgain,
  };
}

/** The id of the element with the user's name. The focus moves to it after more users were loaded. */
export const rowId = (uid: string) => `pessoa-${uid}`;
