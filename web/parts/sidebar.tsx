import { ChevronDown, House, Pencil, Plus, UserPlus, Users } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useLocation } from 'react-router';
import { type MainAxis, mainAxes } from '#contract/axes.ts';
import { AxisIcon } from './axis-icon.tsx';
import { axisNames } from './axis-names.ts';
import { classNames } from './class-names.ts';
import { NavLink } from './link.tsx';
import { Logo } from './logo.tsx';
import styles from './sidebar.module.css';

type Entry = { to: string; label: string; icon: ReactNode; axis?: MainAxis };

const entries: Entry[] = [
  { to: '/admin', label: 'Início', icon: <House /> },
  { to: '/admin/newact', label: 'Nova Act', icon: <Plus /> },
  ...mainAxes.map((axis) => ({
    to: `/admin/${axis}`,
    label: axisNames[axis],
    icon: <AxisIcon axis={axis} />,
    axis,
  })),
  { to: '/admin/users', label: 'Usuários', icon: <Users /> },
];

const moreEntries: Entry[] = [
  { to: '/register', label: 'Novo Usuário', icon: <UserPlus /> },
  { to: '/participants', label: 'Usuários', icon: <Users /> },
  { to: '/admin/newact', label: 'Nova atividade', icon: <Pencil /> },
];

/** The way around the administration. In a narrow window it folds into one line that names the present page. */
export function Sidebar({ staff }: { staff: boolean }) {
  const { pathname, key } = useLocation();
  const listsId = useId();
  // Open only on the page it was opened on: following a link closes it.
  const [openedAt, setOpenedAt] = useState<string>();
  const open = openedAt === key;
  const current = entries.find((entry) => entry.to === pathname)?.label ?? 'Administração';

  return (
    <div className={classNames(styles.side, staff && styles.staff)}>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={open}
        aria-controls={listsId}
        onClick={() => setOpenedAt(open ? undefined : key)}
      >
        <span className="visually-hidden">Menu da administração: </span>
        {current}
        <ChevronDown />
      </button>
      <nav id={listsId} className={styles.lists} data-open={open || undefined} aria-label="Administração">
        <div className={styles.logo}>
          <Logo />
        </div>
        <EntryList entries={entries} />
        <EntryList entries={moreEntries} />
      </nav>
    </div>
  );
}

function EntryList({ entries }: { entries: Entry[] }) {
  return (
    <ul className={styles.list}>
      {entries.map(({ to, label, icon, axis }) => (
        <li key={label} data-axis={axis}>
          <NavLink className={styles.link} to={to} end>
            {icon} {label}
          </NavLink>
        </li>
      ))}
    </ul>
  );
}
