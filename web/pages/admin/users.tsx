import { useLoaderData } from 'react-router';
import { PeoplePage } from '#web/parts/people/people-page.tsx';
import { loadPeople } from '#web/parts/people/people-query.ts';
import { NoCategory, type PeopleColumn } from '#web/parts/people/people-table.tsx';

export const loader = loadPeople;

const columns: PeopleColumn[] = [{ label: 'Categoria', cell: ({ category }) => category ?? <NoCategory /> }];

/** Everybody who has an account. */
export function Component() {
  return <PeoplePage title="Usuários" columns={columns} {...useLoaderData<typeof loadPeople>()} />;
}
