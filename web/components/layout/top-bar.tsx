import { Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { lazyComponent } from '#web/app/lazy-component.ts';
import { useServices, useSession } from '#web/app/services.ts';
import { isAdmin, isEditor, isMember } from '#web/app/session.ts';
import { Menu, X } from '../icons.tsx';
import { NavLink } from '../link.tsx';
import { BookingLink, CvvLink } from './contact-links.tsx';
import { Logo } from './logo.tsx';
import styles from './top-bar.module.css';

const UserMenu = lazyComponent(
  'components/user-menu',
  async () => (await import('./user-menu.tsx')).UserMenu,
);
const SessionTimer = lazyComponent(
  'components/session-timer',
  async () => (await import('./session-timer.tsx')).SessionTimer,
);

/** The logo and the navigation. On small screens, a button opens the navigation, even without JavaScript. */
export function TopBar() {
  const session = useSession();
  const { doctor, fees, night } = useServices().content.menu;
  const scrolled = useScrolled();
  const menu = useRef<HTMLDetailsElement>(null);
  const { key } = useLocation();
  const signedIn = session.status === 'signed-in';

  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the menu.
  useEffect(() => menu.current?.removeAttribute('open'), [key]);

  const links = (
    <>
      {doctor && !signedIn && <Item to="/#quem-atende">Quem atende</Item>}
      <Item to="/practices">Práticas</Item>
      {night && <Item to="/practices#noite">À noite</Item>}
      <Item to="/about">A abordagem</Item>
      {fees && !signedIn && <Item to="/#valores">{fees}</Item>}
      {isAdmin(session) && <Item to="/pro">Pro</Item>}
      {isEditor(session) && <Item to="/admin">Admin</Item>}
    </>
  );
  const help = (
    <li className={styles.help}>
      Ajuda agora: <CvvLink />
    </li>
  );

  return (
    <header className={styles.bar} data-scrolled={scrolled || undefined}>
      <div className={styles.inner}>
        <Logo />
        <nav className={styles.wide} aria-label="Principal">
          <ul className={styles.list}>
            {links}
            {help}
            {signedIn ? (
              <>
                <Item to="/logout">Sair</Item>
                <li>
                  <Suspense fallback={<span className={styles.placeholder} />}>
                    <UserMenu />
                  </Suspense>
                </li>
              </>
            ) : (
              <Item to="/login">Entrar</Item>
            )}
          </ul>
        </nav>
        {!isEditor(session) && <BookingLink size="small" className={styles.book} />}
        <details
          ref={menu}
          className={styles.menu}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !menu.current?.open) return;
            menu.current.open = false;
            menu.current.querySelector('summary')?.focus();
          }}
        >
          <summary aria-label="Menu">
            <Menu className={styles.open} />
            <X className={styles.close} />
          </summary>
          <nav className={styles.panel} aria-label="Principal">
            <ul>
              {links}
              {session.status === 'signed-in' ? (
                <>
                  <Item to="/minha-area">Minha área</Item>
                  <Item to="/diario">Meu diário</Item>
                  {isMember(session) && !isAdmin(session) && <Item to="/pro">Pro</Item>}
                  <Item to="/minhas-praticas">Minhas práticas</Item>
                  <Item to="/account">Conta</Item>
                  <Item to="/logout">Sair</Item>
                  <li className={styles.timer}>
                    <Suspense>
                      <SessionTimer startedAt={session.session.startedAt} />
                    </Suspense>
                  </li>
                </>
              ) : (
                <Item to="/login">Entrar</Item>
              )}
              {help}
            </ul>
            <BookingLink className={styles.panelBook} />
          </nav>
        </details>
      </div>
    </header>
  );
}

function Item({ to, children }: { to: string; children: string }) {
  return (
    <li>
      <NavLink className={styles.link} to={to}>
        <span className={styles.label}>{children}</span>
      </NavLink>
    </li>
  );
}

/** Returns true while the page is scrolled away from its top. */
function useScrolled() {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const read = () => setScrolled(window.scrollY > 8);
    read();
    window.addEventListener('scroll', read, { passive: true });
    return () => window.removeEventListener('scroll', read);
  }, []);
  return scrolled;
}
