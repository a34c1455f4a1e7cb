// biome-ignore-all lint/a11y/noRedundantRoles: the explicit roles keep the semantics where CSS changes `display`.
// biome-ignore-all lint/a11y/useSemanticElements: as above.
import { ArrowDown, ArrowUp, ArrowUpDown, Pencil } from 'lucide-react';
import { useLocation } from 'react-router';
import type { ListedUser, UserSort } from '#contract/user.ts';
import { categoryName } from '#contract/user.ts';
import { IconButton } from '#web/components/button.tsx';
import { recentDate } from '#web/components/date-and-time.ts';
import { Link } from '#web/components/link.tsx';
import { FlagsOf } from './flags-of.tsx';
import { rowId } from './use-users.ts';
import { firstOrder, searchParamsOf, type TableQuery } from './users-query.ts';
import styles from './users-table.module.css';

const sortLabels: Record<UserSort, string> = { name: 'Nome', email: 'Email', createdAt: 'Cadastro' };

/**
 * Shows users as a table; in a narrow window, each user is a card.
 */
export function UsersTable({
  query,
  users,
  onEdit,
}: {
  query: TableQuery;
  users: ListedUser[];
  onEdit: (user: ListedUser) => void;
}) {
  return (
    <>
      <nav className={styles.sorts} aria-label="Ordem da lista">
        <span aria-hidden="true">Ordem:</span>
        {(['name', 'email', 'createdAt'] as const).map((sort) => (
          <SortLink key={sort} sort={sort} query={query} saysOrder />
        ))}
      </nav>
      <table className={styles.table} role="table">
        <caption className="visually-hidden">Usuários</caption>
        <thead role="rowgroup">
          <tr role="row">
            <SortHeader sort="name" query={query} />
            <SortHeader sort="email" query={query} />
            <Header label="Papel" />
            <Header label="Categoria" />
            <SortHeader sort="createdAt" query={query} />
            <Header label="Última visita" />
            <th role="columnheader" scope="col">
              <span className="visually-hidden">Editar</span>
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {users.map((user) => (
            <UserRow key={user.id} user={user} onEdit={() => onEdit(user)} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function UserRow({ user, onEdit }: { user: ListedUser; onEdit: () => void }) {
  const { id, displayName, email, emailVerified, category, createdAt, lastSeenOn } = user;
  return (
    <tr role="row">
      <th role="rowheader" scope="row" id={rowId(id)} tabIndex={-1}>
        <button type="button" className={styles.name} onClick={onEdit}>
          {displayName}
        </button>
      </th>
      <td role="cell" className={styles.email}>
        <span translate="no">{email}</span>
        {!emailVerified && <span className={styles.unverified}>E-mail não confirmado</span>}
      </td>
      <td role="cell">
        <span className={styles.label}>Papel: </span>
        <FlagsOf user={user} />
      </td>
      <td role="cell">
        <span className={styles.label}>Categoria: </span>
        {category === undefined ? (
          <span className={styles.none}>sem categoria</span>
        ) : (
          <span>{categoryName(category)}</span>
        )}
      </td>
      <td role="cell" className={styles.date}>
        <span className={styles.label}>Cadastro: </span>
        <span>{recentDate(createdAt)}</span>
      </td>
      <td role="cell" className={styles.date}>
        <span className={styles.label}>Última visita: </span>
        <span>{lastSeenOn === null ? '—' : recentDate(new Date(`${lastSeenOn}T00:00`).getTime())}</span>
      </td>
      <td role="cell" className={styles.action}>
        <IconButton label={`Editar ${displayName}`} onClick={onEdit}>
          <Pencil />
        </IconButton>
      </td>
    </tr>
  );
}

function Header({ label }: { label: string }) {
  return (
    <th role="columnheader" scope="col">
      {label}
    </th>
  );
}

function SortHeader({ sort, query }: { sort: UserSort; query: TableQuery }) {
  const current = query.sort === sort;
  const direction = query.order === 'asc' ? 'ascending' : 'descending';
  return (
    <th role="columnheader" scope="col" aria-sort={current ? direction : 'none'}>
      <SortLink sort={sort} query={query} />
    </th>
  );
}

/**
 * A link that sorts the users by a column, or reverses the order if they are already sorted by that column.
 * With `saysOrder`, screen readers announce the order.
 */
function SortLink({
  sort,
  query,
  saysOrder = false,
}: {
  sort: UserSort;
  query: TableQuery;
  saysOrder?: boolean;
}) {
  const { pathname } = useLocation();
  const current = query.sort === sort;
  const opposite = query.order === 'asc' ? 'desc' : 'asc';
  const order = current ? opposite : firstOrder(sort);
  const params = searchParamsOf({ ...query, sort, order }).toString();
  const Arrow = query.order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <Link
      className={styles.sort}
      to={params ? `${pathname}?${params}` : pathname}
      aria-current={(saysOrder && current) || undefined}
    >
      <span>{sortLabels[sort]}</span> {current ? <Arrow /> : <ArrowUpDown />}
      {saysOrder && current && (
        <span className="visually-hidden">{query.order === 'asc' ? ', crescente' : ', decrescente'}</span>
      )}
    </Link>
  );
}
