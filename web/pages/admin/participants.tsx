import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useLoaderData } from 'react-router';
import { IconButton } from '#web/components/button.tsx';
import { loadUsers, usePassedUser } from './components/users/users-query.ts';
import { CategoryOf, type UsersColumn } from './components/users/users-table.tsx';
import { UsersView } from './components/users/users-view.tsx';
import styles from './participants/edit-user.module.css';
import { EditUser } from './participants/edit-user.tsx';
import { FlagsOf } from './participants/flags-of.tsx';

export const loader = loadUsers;

const columns: UsersColumn[] = [
  { label: 'Papel', cell: (user) => <FlagsOf user={user} /> },
  { label: 'Categoria', cell: (user) => <CategoryOf user={user} /> },
];

/** The page on which admins change the users' roles, flags and categories. */
export function Component() {
  const [editing, setEditing] = useState(usePassedUser());
  return (
    <UsersView
      title="Participantes"
      intro="Quem tem conta, e o que cada pessoa pode. Cada pessoa vê, na própria conta, quem mudou o quê."
      columns={columns}
      nameOf={(user) => (
        <button type="button" className={styles.name} onClick={() => setEditing(user)}>
          {user.displayName}
        </button>
      )}
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
