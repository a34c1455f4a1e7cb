import { useLoaderData } from 'react-router';
import { loadUsers } from './components/users/users-query.ts';
import { NoCategory, type UsersColumn } from './components/users/users-table.tsx';
import { UsersView } from './components/users/users-view.tsx';

export const loader = loadUsers;

const columns: UsersColumn[] = [{ label: 'Categoria', cell: ({ category }) => category ?? <NoCategory /> }];

/** The list of all users. */
export function Component() {
  return <UsersView title="Usuários" columns={columns} {...useLoaderData<typeof loadUsers>()} />;
}
