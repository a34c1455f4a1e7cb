import styles from './skip-link.module.css';

/** The first link of a page. It skips the navigation, and is visible only while it has the focus. */
export function SkipLink() {
  return (
    <a className={styles.skip} href="#conteudo">
      Ir para o conteúdo
    </a>
  );
}
