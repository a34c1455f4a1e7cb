import { ButtonLink } from '#web/parts/button.tsx';
import { FootNote } from '#web/parts/foot-note.tsx';
import { Link } from '#web/parts/link.tsx';
import { PageTitle } from '#web/parts/page-title.tsx';

/** Any other address under /login. */
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
