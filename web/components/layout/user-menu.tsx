import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '#web/app/services.ts';
import { isAdmin, isMember, userOf } from '#web/app/session.ts';
import { Avatar } from '../avatar.tsx';
import { ChevronDown } from '../icons.tsx';
import { Link } from '../link.tsx';
import { shortName } from '../person-name.ts';
import { SessionTimer } from './session-timer.tsx';
import styles from './user-menu.module.css';

/** The settings menu of a signed-in user. Visitors see no menu. */
export function UserMenu() {
  const session = useSession();
  const menu = useRef<HTMLDetailsElement>(null);
  const location = useLocation();

  function close() {
    if (menu.current) menu.current.open = false;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the menu.
  useEffect(close, [location.key]);

  if (session.status !== 'signed-in') return null;
  const user = userOf(session);
  const name = user?.displayName ?? session.session.user.email;

  return (
    <details
      ref={menu}
      className={styles.menu}
      onBlur={(event) => {
        // `relatedTarget` is null after a press on an element that takes no focus. This also closes the menu.
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return;
        close();
        menu.current.querySelector('summary')?.focus();
      }}
    >
      <summary>
        <span className="visually-hidden">Sua conta: </span>
        <span className={styles.avatar}>
          <Avatar name={name} photo={user?.profilePic ?? false} />
        </span>
        <span className={styles.name}>{shortName(name)}</span>
        <ChevronDown />
      </summary>
      <ul className={styles.list}>
        <li className={styles.account}>
          <span translate="no">{session.session.user.email}</span>
          <SessionTimer startedAt={session.session.startedAt} />
        </li>
        <li>
          <Link to="/minha-area">Minha área</Link>
        </li>
        <li>
          <Link to="/diario">Meu diário</Link>
        </li>
        {isMember(session) && !isAdmin(session) && (
          <li>
            <Link to="/pro">Pro</Link>
          </li>
        )}
        <li>
          <Link to="/minhas-praticas">Minhas práticas</Link>
        </li>
        <li>
          <Link to="/account">Conta</Link>
        </li>
        <li>
          <Link to="/logout">Sair</Link>
        </li>
      </ul>
    </details>
  );
}
