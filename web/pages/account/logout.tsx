import { useEffect, useState } from 'react';
import { type LoaderFunctionArgs, redirect } from 'react-router';
import { servicesContext, useServices } from '#web/app/services.ts';
import { ErrorView } from '#web/components/layout/messages.tsx';
import { SiteLayout } from '#web/components/layout/site-layout.tsx';

/** Signs out and redirects. The page is visible only if the server has not confirmed the sign-out in time. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { session } = context.get(servicesContext);
  if (await session.signOut()) throw redirect('/');
  return null;
}

export function Component() {
  const { session } = useServices();
  const [ended, setEnded] = useState(false);
  useEffect(() => {
    void session.endedOnServer().then(() => setEnded(true));
  }, [session]);
  return (
    <SiteLayout>
      <ErrorView title="Você saiu deste aparelho" quoted={false}>
        <span role="status">
          {ended
            ? 'A conexão voltou, e a sua sessão terminou também no servidor.'
            : 'Não conseguimos falar com o site agora. Nada seu ficou neste aparelho, e a sua sessão termina lá assim que a conexão voltar.'}
        </span>
      </ErrorView>
    </SiteLayout>
  );
}
