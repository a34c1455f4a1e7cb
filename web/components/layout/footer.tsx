import type { ReactNode } from 'react';
import type { Identity } from '#contract/site/identity.ts';
import { professionOf, registrationsOf } from '#contract/site/registrations.ts';
import { useContent, useServices, useSession } from '#web/app/services.ts';
import { wavePath } from '../art/petal.ts';
import { Accessibility, Instagram, LinkedIn, YouTube } from '../icons.tsx';
import { Link } from '../link.tsx';
import styles from './footer.module.css';

const copyrightYear = 2025;

/** The footer: the responsible doctor (required by Brazil's CFM), navigation, and help in a crisis. */
export function Footer() {
  const identity = useContent('identity');
  const signedIn = useSession().status === 'signed-in';
  const { questions } = useServices().content.menu;
  return (
    <footer className={styles.footer}>
      <Pavement />
      <div className={styles.body}>
        <div className={styles.inner}>
          <div>
            <p className={styles.name}>{identity.doctorName}</p>
            <p>
              <span>{professionOf(identity)}</span>
              <br />
              <span>{registrationsOf(identity).join(' · ')}</span>
            </p>
            <ul className={styles.social}>
              {identity.social.map(({ network, url }, index) => (
                <li key={index}>
                  <a href={url} target="_blank" rel="noopener">
                    {networkIcons[network]}
                    <span className="visually-hidden">{`${network} (abre em outra aba)`}</span>
                  </a>
                </li>
              ))}
            </ul>
          </div>
          <nav className={styles.nav} aria-label="Rodapé">
            <ul>
              <li>
                <Link to="/practices">Práticas</Link>
              </li>
              <li>
                <Link to="/about">A abordagem</Link>
              </li>
              {questions && (
                <li>
                  <Link to="/#perguntas">Perguntas frequentes</Link>
                </li>
              )}
            </ul>
            <ul>
              {!signedIn && (
                <li>
                  <Link to="/login">Entrar</Link>
                </li>
              )}
              <li>
                <Link to="/privacidade">Privacidade</Link>
              </li>
              <li>
                <Link to="/privacidade#acessibilidade">
                  <Accessibility /> Acessibilidade
                </Link>
              </li>
            </ul>
          </nav>
          <div className={styles.crisis}>
            <p>
              <strong>Este site não atende emergências.</strong>
            </p>
            <p>
              Se você corre risco agora, ligue <a href="tel:188">188 (CVV, dia e noite)</a> ou{' '}
              <a href="tel:192">192 (SAMU)</a>, ou procure a UPA ou o CAPS mais próximo.
            </p>
          </div>
        </div>
        <p className={styles.end}>{`© ${copyrightYear} ${identity.doctorName}`}</p>
      </div>
    </footer>
  );
}

/** Three bands with the wave of Copacabana's pavement (calçadão). */
function Pavement() {
  const band = (y: number, shift: number) =>
    wavePath({ count: 6, period: 480, height: -62, y, shift, bottom: 121 });
  return (
    <svg
      className={styles.pavement}
      viewBox="0 0 1440 120"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      focusable="false"
    >
      <path className={styles.far} d={band(70, 420)} />
      <path className={styles.middle} d={band(94, 260)} />
      <path className={styles.near} d={band(118, 100)} />
    </svg>
  );
}

const networkIcons: Record<Identity['social'][number]['network'], ReactNode> = {
  Instagram: <Instagram />,
  YouTube: <YouTube />,
  LinkedIn: <LinkedIn />,
};
