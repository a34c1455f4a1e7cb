import { useLoaderData } from 'react-router';
import { loadPeople } from './components/users/users-query.ts';
import { NoCategory, type PeopleColumn } from './components/users/users-table.tsx';
import { PeoplePage } from './components/users/users-view.tsx';

export const loader = loadPeople;

const columns: PeopleColumn[] = [{ label: 'Categoria', cell: ({ category }) => category ?? <NoCategory /> }];

/** Everybody who has an account. */
export function Component() {
  return <PeoplePage title="Usuários" columns={columns} {...useLoaderData<typeof loadPeople>()} />;
}
