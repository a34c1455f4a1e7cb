import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { ListedUser, UserSort } from '#contract/user.ts';
import { categoryName } from '#contract/user.ts';
import { dateOnly } from '#web/components/date-and-time.ts';
import { Link } from '#web/components/link.tsx';
import { rowId } from './use-users.ts';
import { searchParamsOf, type TableQuery } from './users-query.ts';
import styles from './users-table.module.css';

/** A column of the list, in addition to name, email address and sign-up date. */
export type UsersColumn = { label: string; cell: (user: ListedUser) => ReactNode };

const sortLabels: Record<UserSort, string> = { name: 'Nome', email: 'Email', createdAt: 'Cadastro' };

/**
 * Shows users as a table; in a narrow window, each user is a card.
 * The explicit roles keep the table semantics where CSS changes `display`.
 */
export function UsersTable({
  caption,
  query,
  users,
  columns,
  nameOf,
  action,
}: {
  caption: string;
  query: TableQuery;
  users: ListedUser[];
  columns: UsersColumn[];
  /** The name as a link or button that opens the user. */
  nameOf: (user: ListedUser) => ReactNode;
  action?: { label: string; of: (user: ListedUser) => ReactNode };
}) {
  return (
    <>
      <nav className={styles.sorts} aria-label="Ordem da lista">
        <span aria-hidden="true">Ordem:</span>
        {(['name', 'email', 'createdAt'] as const).map((sort) => (
          <SortLink key={sort} sort={sort} query={query} saysOrder />
        ))}
      </nav>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above. */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: see above. */}
      <table className={styles.table} data-action={action && ''} role="table">
        <caption className="visually-hidden">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            <SortHeader sort="name" query={query} />
            <SortHeader sort="email" query={query} />
            {columns.map(({ label }) => (
              <th key={label} role="columnheader" scope="col">
                {label}
              </th>
            ))}
            <SortHeader sort="createdAt" query={query} />
            {action && (
              <th role="columnheader" scope="col">
                <span className="visually-hidden">{action.label}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {users.map((user) => (
            <tr key={user.id} role="row">
              <th role="rowheader" scope="row" id={rowId(user.id)} tabIndex={-1}>
                {nameOf(user)}
              </th>
              <td role="cell" className={styles.email}>
                <span translate="no">{user.email}</span>
                {!user.emailVerified && <span className={styles.unverified}>E-mail não confirmado</span>}
              </td>
              {columns.map(({ label, cell }) => (
                <td key={label} role="cell">
                  <span className={styles.label}>{`${label}: `}</span>
                  {cell(user)}
                </td>
              ))}
              <td role="cell" className={styles.date}>
                <span className={styles.label}>Cadastro: </span>
                <span>{dateOnly(user.createdAt)}</span>
              </td>
              {action && (
                <td role="cell" className={styles.action}>
                  {action.of(user)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/useSemanticElements: see above. */}
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above. */}
    </>
  );
}

/** Shows a user's category in the same way in every list. */
export function CategoryOf({ user: { category } }: { user: ListedUser }) {
  if (category === undefined) return <span className={styles.none}>sem categoria</span>;
  return <span>{categoryName(category)}</span>;
}

function SortHeader({ sort, query }: { sort: UserSort; query: TableQuery }) {
  const current = query.sort === sort;
  const direction = query.order === 'asc' ? 'ascending' : 'descending';
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see UsersTable.
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
  const order = current && query.order === 'asc' ? 'desc' : 'asc';
  const params = new URLSearchParams(searchParamsOf({ search: query.search, sort, order })).toString();
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
