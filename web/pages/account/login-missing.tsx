import { Link } from 'react-router';
import { ButtonLink } from '#web/parts/button.tsx';
import { PageTitle } from '#web/parts/page-title.tsx';
import styles from './door.module.css';

/** Any other address under /login. */
export function Component() {
  return (
    <>
      <PageTitle title="Página não encontrada" />
      <h1>Página não encontrada.</h1>
      <p>O endereço pode ter mudado, ou o link veio incompleto.</p>
      <ButtonLink to="/login">Ir para a entrada</ButtonLink>
      <p className={styles.foot}>
        <Link to="/">Voltar ao início</Link>
      </p>
    </>
  );
}
