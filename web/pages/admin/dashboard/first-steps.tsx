import { Hexaflex } from '#web/components/art/hexaflex.tsx';
import { Link } from '#web/components/link.tsx';
import styles from './first-steps.module.css';

/** Suggests first steps while the library is empty. */
export function FirstSteps() {
  return (
    <section aria-labelledby="primeiros-passos" className={styles.steps}>
      <h2 id="primeiros-passos">Primeiros passos</h2>
      <ol className={styles.list}>
        <li>
          <Hexaflex lit={1} className={styles.mark} />
          <div>
            <Link to="/admin/newact">Crie a primeira prática</Link>
            <p>Bastam um título, um link e um texto. Imagem e áudio podem vir depois.</p>
          </div>
        </li>
        <li>
          <Hexaflex lit={2} className={styles.mark} />
          <div>
            <Link to="/practices">Veja como ela aparece</Link>
            <p>As práticas ficam na página Práticas, aberta a todas as pessoas.</p>
          </div>
        </li>
        <li>
          <Hexaflex lit={3} className={styles.mark} />
          <div>
            <Link to="/admin/users">Conheça quem se cadastrou</Link>
            <p>Cada pessoa cria a própria conta e aparece em Usuários.</p>
          </div>
        </li>
      </ol>
    </section>
  );
}
