import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useLoaderData } from 'react-router';
import type { ListedUser } from '#contract/user.ts';
import { IconButton } from '#web/components/button.tsx';
import { loadPeople } from './components/users/users-query.ts';
import { NoCategory, type PeopleColumn } from './components/users/users-table.tsx';
import { PeoplePage } from './components/users/users-view.tsx';
import { EditPerson } from './participants/edit-person.tsx';
import { FlagsOf } from './participants/flags-of.tsx';

export const loader = loadPeople;

const columns: PeopleColumn[] = [
  { label: 'Papel', cell: (user) => <FlagsOf user={user} /> },
  { label: 'Categoria', cell: ({ category }) => category ?? <NoCategory /> },
];

/** Who may do what: roles, flags and categories, set by admins. */
export function Component() {
  const [editing, setEditing] = useState<ListedUser>();
  return (
    <PeoplePage
      title="Participantes"
      intro="Quem tem conta, e o que cada pessoa pode. Cada pessoa vê, na própria conta, quem mudou o quê."
      columns={columns}
      {...useLoaderData<typeof loadPeople>()}
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
                // Closed meanwhile, it stays closed.
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
