import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useLoaderData } from 'react-router';
import type { ListedUser } from '#contract/user.ts';
import { IconButton } from '#web/components/button.tsx';
import { loadUsers } from './components/users/users-query.ts';
import { NoCategory, type UsersColumn } from './components/users/users-table.tsx';
import { UsersView } from './components/users/users-view.tsx';
import { EditUser } from './participants/edit-user.tsx';
import { FlagsOf } from './participants/flags-of.tsx';

export const loader = loadUsers;

const columns: UsersColumn[] = [
  { label: 'Papel', cell: (user) => <FlagsOf user={user} /> },
  { label: 'Categoria', cell: ({ category }) => category ?? <NoCategory /> },
];

/** The page on which admins change the users' roles, flags and categories. */
export function Component() {
  const [editing, setEditing] = useState<ListedUser>();
  return (
    <UsersView
      title="Participantes"
      intro="Quem tem conta, e o que cada pessoa pode. Cada pessoa vê, na própria conta, quem mudou o quê."
      columns={columns}
      {...useLoaderData<typeof loadUsers>()}
      action={{
        label: 'Editar',
        of: (user) => (
          <IconButton label={`Editar ${user.displayName}`} onClick={() => setEditing(user)}>
            <Pencil />
          </IconButton>
        ),
        opened: (replace) =>
          editing && (
            <EditUser
              user={editing}
              onChanged={(user) => {
                // Keep the dialog closed if the admin has closed it meanwhile.
                setEditing((before) => before && user);
                replace(user);
              }}
              onClose={() => setEditing(undefined)}
            />
          ),
      }}
    />
  );
}
