import { Globe, House, Mail, Menu, NotebookText, Pencil, Plus, UserPlus, Users, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { type MainAxis, mainAxes } from '#contract/axes.ts';
import { useSession } from '#web/app/services.ts';
import { isAdmin } from '#web/app/session.ts';
import { IconButton } from '#web/components/button.tsx';
import { classNames } from '#web/components/class-names.ts';
import { Logo } from '#web/components/layout/logo.tsx';
import { Link, NavLink } from '#web/components/link.tsx';
import { AxisIcon } from '#web/components/practice/practice-icons.tsx';
import { axisNames } from '#web/components/practice/practice-names.ts';
import { useModal } from '#web/components/use-modal.ts';
import { useIsClinician } from './clinicians.ts';
import styles from './sidebar.module.css';

type Entry = {
  to: string;
  label: string;
  icon: ReactNode;
  axis?: MainAxis;
  forAdmins?: true;
  forClinicians?: true;
};

const entries: Entry[] = [
  { to: '/admin', label: 'Início', icon: <House /> },
  { to: '/admin/newact', label: 'Nova Act', icon: <Plus /> },
  ...mainAxes.map((axis) => ({
    to: `/admin/${axis}`,
    label: axisNames[axis],
    icon: <AxisIcon axis={axis} />,
    axis,
  })),
  { to: '/admin/users', label: 'Usuários', icon: <Users />, forAdmins: true },
  { to: '/admin/pacientes', label: 'Pacientes', icon: <NotebookText />, forClinicians: true },
  { to: '/admin/site', label: 'Site', icon: <Globe /> },
  { to: '/admin/carta', label: 'Carta', icon: <Mail />, forAdmins: true },
];

const moreEntries: Entry[] = [
  { to: '/register', label: 'Novo Usuário', icon: <UserPlus />, forAdmins: true },
  { to: '/participants', label: 'Usuários', icon: <Users />, forAdmins: true },
  { to: '/admin/newact', label: 'Nova atividade', icon: <Pencil /> },
];

const all = [...entries, ...moreEntries];

/** The navigation of the admin area: a sidebar, or a button with a drawer in a narrow window. */
export function Sidebar({ staff }: { staff: boolean }) {
  const narrow = useSyncExternalStore(followWidth, isNarrow);
  return (
    <div className={classNames(styles.side, staff && styles.staff)} data-staff={staff || undefined}>
      {narrow ? (
        <DrawerButton />
      ) : (
        <nav className={styles.wide} aria-label="Administração">
          <Logo />
          <Entries />
        </nav>
      )}
    </div>
  );
}

function Entries() {
  return (
    <div className={styles.lists}>
      <EntryList heading="Acompanhar" entries={entries} />
      <EntryList heading="Gerenciar" entries={moreEntries} />
    </div>
  );
}

/** A button with the name of the current page. It opens the drawer. */
function DrawerButton() {
  const { pathname, key } = useLocation();
  // The drawer is open only on the page where the user opened it, so following a link closes it.
  const [openedAt, setOpenedAt] = useState<string>();
  const open = openedAt === key;
  const current =
    all.find((entry) => entry.to === pathname)?.label ??
    ['/admin/site', '/admin/carta', '/admin/pacientes'].flatMap((area) =>
      pathname.startsWith(`${area}/`) ? all.find(({ to }) => to === area)?.label : [],
    )[0];
  return (
    <>
      <button
        type="button"
        className={styles.toggle}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpenedAt(key)}
      >
        <Menu />
        <span className="visually-hidden">Menu da administração: </span>
        <span>{current ?? 'Administração'}</span>
      </button>
      {open && <Drawer onClose={() => setOpenedAt(undefined)} />}
    </>
  );
}

/** The links to the site: in the header, or in the drawer of a narrow window. */
export const SiteLinks = () => (
  <>
    <Link to="/">Ver o site</Link>
    <Link to="/practices">Práticas</Link>
  </>
);

function Drawer({ onClose }: { onClose: () => void }) {
  const modal = useModal(onClose);
  const { ref } = modal;
  // The focus starts on the link to the current page.
  useEffect(() => ref.current?.querySelector<HTMLElement>('[aria-current]')?.focus(), [ref]);
  return (
    <dialog className={styles.drawer} aria-label="Menu da administração" {...modal}>
      <div className={styles.head}>
        <Logo />
        <IconButton label="Fechar o menu" className={styles.close} onClick={onClose}>
          <X />
        </IconButton>
      </div>
      <nav aria-label="Administração">
        <Entries />
      </nav>
      <nav className={styles.site} aria-label="Site">
        <SiteLinks />
      </nav>
    </dialog>
  );
}

/**
 * Entries below a heading. The headings distinguish the two entries that the specification names "Usuários".
 */
function EntryList({ heading, entries }: { heading: string; entries: Entry[] }) {
  const headingId = useId();
  const byAdmin = isAdmin(useSession());
  const isClinician = useIsClinician();
  const shown = entries.filter(
    ({ forAdmins, forClinicians }) => (byAdmin || !forAdmins) && (isClinician || !forClinicians),
  );
  return (
    <div className={styles.group}>
      {/* This is not a heading element, because it comes before the page's own headings. */}
      <p id={headingId}>{heading}</p>
      <ul className={styles.list} aria-labelledby={headingId}>
        {shown.map(({ to, label, icon, axis }) => (
          <li key={label} data-axis={axis}>
            {/* If two entries lead to the same page, only the first is marked as current. */}
            {all.find((entry) => entry.to === to)?.label === label ? (
              <NavLink
                className={styles.link}
                to={to}
                end={to !== '/admin/site' && to !== '/admin/pacientes'}
              >
                {icon} <span>{label}</span>
              </NavLink>
            ) : (
              <Link className={styles.link} to={to}>
                {icon} <span>{label}</span>
              </Link>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The width in `rem` also matches when the text is so large that the sidebar would leave too little room. */
const narrowWindow = '(width <= 960px), (width < 60rem)';
const isNarrow = () => window.matchMedia(narrowWindow).matches;

function followWidth(onChange: () => void) {
  const query = window.matchMedia(narrowWindow);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}
