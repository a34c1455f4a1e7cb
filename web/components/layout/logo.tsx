import { useContent } from '#web/app/services.ts';
import { Hexaflex } from '../art/hexaflex.tsx';
import { Link } from '../link.tsx';
import styles from './logo.module.css';

/** The logo and the short name, with a link to the home page. */
export function Logo() {
  const identity = useContent('identity');
  return (
    <Link className={styles.logo} to="/" aria-label={`${identity.shortName}, página inicial`}>
      <Hexaflex className={styles.mark} />
      <span className={styles.name}>{identity.shortName}</span>
    </Link>
  );
}
