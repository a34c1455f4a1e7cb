import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useLoaderData } from 'react-router';
import type { ListedUser } from '#contract/user.ts';
import { IconButton } from '#web/components/button.tsx';
import { loadUsers } from './components/users/users-query.ts';
import { NoCategory, type UsersColumn } from './components/users/users-table.tsx';
import { UsersView } from './components/users/users-view.tsx';
import { EditPerson } from './participants/edit-person.tsx';
import { FlagsOf } from './participants/flags-of.tsx';

export const loader = loadUsers;

const columns: UsersColumn[] = [
  { label: 'Papel', cell: (user) => <FlagsOf user={user} /> },
  { label: 'Categoria', cell: ({ category }) => category ?? <NoCategory /> },
];

/** The users' roles, flags and categories, which admins can change. */
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
            <EditPerson
              person={editing}
              onChanged={(user) => {
                // If the dialog was closed meanwhile, it stays closed.
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
