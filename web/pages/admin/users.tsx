import { useLoaderData } from 'react-router';
import { Link, opensHere } from '#web/components/link.tsx';
import { loadUsers, passUser } from './components/users/users-query.ts';
import { CategoryOf, type UsersColumn } from './components/users/users-table.tsx';
import { UsersView } from './components/users/users-view.tsx';

export const loader = loadUsers;

const columns: UsersColumn[] = [{ label: 'Categoria', cell: (user) => <CategoryOf user={user} /> }];

/** The list of all users. A name leads to the user's dialog on the page of participants. */
export function Component() {
  return (
    <UsersView
      title="Usuários"
      columns={columns}
      nameOf={(user) => (
        <Link to="/participants" onClick={(event) => opensHere(event) && passUser(user)}>
          {user.displayName}
        </Link>
      )}
      {...useLoaderData<typeof loadUsers>()}
    />
  );
}
