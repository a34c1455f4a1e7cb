import type { LoaderFunctionArgs } from 'react-router';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import type { SortOrder, UserSort, UsersSelection } from '#contract/user.ts';
import { servicesContext } from '#web/app/services-context.ts';
import { deferred } from '#web/components/deferred.tsx';

/** The filter and order of a user list, from the search parameters of its page. */
export type TableQuery = { search: string; sort: UserSort; order: SortOrder };

/** The sort keys in search parameters. */
const sortNames: Record<UserSort, string> = { name: 'nome', email: 'email', createdAt: 'cadastro' };

/** Loads the first page of users for the query in the URL. */
export function loadUsers({ context, request }: LoaderFunctionArgs) {
  const { documents } = context.get(servicesContext).client;
  const query = readQuery(new URL(request.url).searchParams);
  return { query, first: deferred(documents.listUsers(selectionOf(query), request.signal)) };
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
