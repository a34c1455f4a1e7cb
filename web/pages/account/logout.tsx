import { useEffect, useState } from 'react';
import { type LoaderFunctionArgs, redirect } from 'react-router';
import { servicesContext, useServices } from '#web/app/services-context.ts';
import { ErrorView } from '#web/components/layout/error-view.tsx';
import { Frame } from '#web/components/layout/site-layout.tsx';

/** Signs out and redirects. The page is visible only when the server could not be reached. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { session } = context.get(servicesContext);
  if (await session.signOut()) throw redirect('/');
  return null;
}

export function Component() {
  const { session } = useServices();
  const [told, setTold] = useState(false);
  useEffect(() => {
    void session.serverTold().then(() => setTold(true));
  }, [session]);
  return (
    <Frame>
      <ErrorView title="Você saiu deste aparelho">
        <span role="status">
          {told
            ? 'A conexão voltou, e a sua sessão terminou também no servidor.'
            : 'Sem conexão com o servidor agora. Nada seu ficou neste aparelho, e a sua sessão termina lá assim que a conexão voltar.'}
        </span>
      </ErrorView>
    </Frame>
  );
}
