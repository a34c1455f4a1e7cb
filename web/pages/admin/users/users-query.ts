import type { LoaderFunctionArgs } from 'react-router';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import type { SortOrder, StoredMember, UserSort, UsersSelection } from '#contract/user.ts';
import { client } from '#web/app/client.ts';
import { deferred } from '#web/components/deferred.tsx';

/** The filters and the order of the list of users, from the search parameters of its page. */
export type TableQuery = {
  search: string;
  role: StoredMember | '';
  verified: 'yes' | 'no' | '';
  /** Users who signed up in this many days before `readAt`. */
  days: SignUpDays | '';
  /** When the URL was read, in epoch milliseconds. All pages of one list use the same time. */
  readAt: number;
  sort: UserSort;
  order: SortOrder;
};

export const signUpDays = ['7', '30', '90', '365'] as const;
type SignUpDays = (typeof signUpDays)[number];

export const noFilters = { role: '', verified: '', days: '' } as const;

export const hasFilters = ({ role, verified, days }: TableQuery) => `${role}${verified}${days}` !== '';

/** The values in search parameters. */
const sortNames: Record<UserSort, string> = { name: 'nome', email: 'email', createdAt: 'cadastro' };
const rolePaths: Record<StoredMember, string> = {
  no: 'paciente',
  member: 'membro',
  editor: 'edicao',
  admin: 'administracao',
};
const verifiedNames = { yes: 'confirmado', no: 'nao-confirmado' };

/** Loads the first page of users for the query in the URL, and the counts of new users. */
export function loadUsers({ request }: LoaderFunctionArgs) {
  const query = readQuery(new URL(request.url).searchParams);
  return {
    query,
    first: deferred(client.documents.listUsers(selectionOf(query), request.signal)),
    counts: deferred(client.documents.getCounts(request.signal)),
  };
}

function readQuery(params: URLSearchParams): TableQuery {
  const sort = keyOf(sortNames, params.get('ordem')) ?? 'createdAt';
  return {
    search: params.get('busca')?.slice(0, limits.searchMaxLength) ?? '',
    role: keyOf(rolePaths, params.get('papel')) ?? '',
    verified: keyOf(verifiedNames, params.get('email')) ?? '',
    days: signUpDays.find((days) => days === params.get('dias')) ?? '',
    readAt: Date.now(),
    sort,
    order: orderNamed(params.get('sentido')) ?? firstOrder(sort),
  };
}

const keyOf = <Key extends string>(names: Record<Key, string>, wanted: string | null) =>
  (Object.keys(names) as Key[]).find((key) => names[key] === wanted);

const orderNamed = (name: string | null) => (name === 'asc' || name === 'desc' ? name : undefined);

/** The order after the first press on a column: names from A to Z, the newest sign-up first. */
export const firstOrder = (sort: UserSort): SortOrder => (sort === 'createdAt' ? 'desc' : 'asc');

/** The query as search parameters, without default values. */
export function searchParamsOf({ search, role, verified, days, sort, order }: TableQuery) {
  const params = new URLSearchParams();
  if (search) params.set('busca', search);
  if (role) params.set('papel', rolePaths[role]);
  if (verified) params.set('email', verifiedNames[verified]);
  if (days) params.set('dias', days);
  if (sort !== 'createdAt') params.set('ordem', sortNames[sort]);
  if (order !== firstOrder(sort)) params.set('sentido', order);
  return params;
}

/** Converts the query to the parameters that the client library sends. */
export function selectionOf(query: TableQuery): UsersSelection {
  const { search, role, verified, days, readAt, sort, order } = query;
  return {
    ...(search && { search }),
    ...(role && { role }),
    ...(verified && { verified }),
    ...(days && { since: readAt - Number(days) * dayMs }),
    sort,
    order,
  };
}

/** The path of a CSV file with all users that match the query. */
export function exportPath(query: TableQuery): string {
  const selection = Object.entries(selectionOf(query)).map(([name, value]) => [name, String(value)]);
  return `${paths.documents.usersCsv}?${new URLSearchParams(selection)}`;
}

const dayMs = 24 * 60 * 60_000;
