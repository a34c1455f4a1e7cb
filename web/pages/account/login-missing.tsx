import { ButtonLink } from '#web/components/button.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { FootNote } from './components/foot-note.tsx';

/** The "not found" page for unknown paths under /login. */
export function Component() {
  return (
    <>
      <PageTitle title="Página não encontrada" />
      <h1>Página não encontrada.</h1>
      <p>O endereço pode ter mudado, ou o link veio incompleto.</p>
      <ButtonLink to="/login">Ir para a entrada</ButtonLink>
      <FootNote>
        <Link to="/">Voltar ao início</Link>
      </FootNote>
    </>
  );
}
