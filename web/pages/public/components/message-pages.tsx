import { ErrorView, MessagePage } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';

/** The page for all paths that do not exist. */
export function PageNotFound() {
  return (
    <ErrorView title="Não achamos esta página">
      O endereço pode ter mudado, ou o link veio incompleto.
    </ErrorView>
  );
}

/** The page of a preview whose link is no longer valid. */
export function PreviewOver() {
  return (
    <MessagePage lit={0}>
      <PageTitle title="A prévia terminou" />
      <h1>Esta prévia terminou.</h1>
      <p>O endereço de uma prévia vale por 30 minutos. Peça outro a quem administra o site.</p>
      <p>
        <Link to="/">Ir para o site</Link>
      </p>
    </MessagePage>
  );
}
