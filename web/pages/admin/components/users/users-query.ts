import { useEffect, useState } from 'react';
import type { LoaderFunctionArgs } from 'react-router';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import type { ListedUser, SortOrder, UserSort, UsersSelection } from '#contract/user.ts';
import { client } from '#web/app/client.ts';
import { deferred } from '#web/components/deferred.tsx';

/** The filter and order of a user list, from the search parameters of its page. */
export type TableQuery = { search: string; sort: UserSort; order: SortOrder };

/** The sort keys in search parameters. */
const sortNames: Record<UserSort, string> = { name: 'nome', email: 'email', createdAt: 'cadastro' };

/** Loads the first page of users for the query in the URL. */
export function loadUsers({ request }: LoaderFunctionArgs) {
  const query = readQuery(new URL(request.url).searchParams);
  return { query, first: deferred(client.documents.listUsers(selectionOf(query), request.signal)) };
}

function readQuery(params: URLSearchParams): TableQuery {
  const sorts = Object.entries(sortNames) as [UserSort, string][];
  return {
    search: params.get('busca')?.slice(0, limits.searchMaxLength) ?? '',
    sort: sorts.find(([, name]) => name === params.get('ordem'))?.[0] ?? 'name',
    order: params.get('sentido') === 'desc' ? 'desc' : 'asc',
  };
}

/** The query as search parameters, without default values. */
export function searchParamsOf({ search, sort, order }: TableQuery): Record<string, string> {
  return {
    ...(search && { busca: search }),
    ...(sort !== 'name' && { ordem: sortNames[sort] }),
    ...(order !== 'asc' && { sentido: order }),
  };
}

/** Converts the query to the parameters that the client library sends. */
export function selectionOf({ search, sort, order }: TableQuery): UsersSelection {
  return { ...(search && { search }), sort, order };
}

/** The path of a CSV file with all users that match the query. */
export const exportPath = (query: TableQuery) =>
  `${paths.documents.usersCsv}?${new URLSearchParams(selectionOf(query))}`;

/** Kept only in memory, because a URL or the browser's history would store personal data on the device. */
let passed: ListedUser | undefined;

/** Passes a user to the page of participants, which opens the user's dialog. */
export function passUser(user: ListedUser) {
  passed = user;
}

/** Returns the user that the previous page has passed, if any. */
export function usePassedUser(): ListedUser | undefined {
  const [user] = useState(() => passed);
  useEffect(() => {
    passed = undefined;
  }, []);
  return user;
}
