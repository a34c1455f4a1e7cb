import { Suspense, useCallback, useEffect, useState } from 'react';
import { type LoaderFunctionArgs, redirect, useLoaderData, useNavigate } from 'react-router';
import { lazyComponent } from '#web/app/lazy-component.ts';
import { hasUnsent } from '#web/app/load-offline.ts';
import { servicesContext, useServices } from '#web/app/services.ts';
import { ErrorView, Loading } from '#web/components/layout/messages.tsx';
import { SiteLayout } from '#web/components/layout/site-layout.tsx';

const LeaveUnsent = lazyComponent(
  'offline/leave-unsent',
  async () => (await import('#web/offline/leave-unsent.tsx')).LeaveUnsent,
);

/**
 * Signs out and redirects. The page is visible only if entries of the diary would be lost, or the server has
 * not confirmed the sign-out in time.
 */
export async function loader({ context }: LoaderFunctionArgs) {
  const { session } = context.get(servicesContext);
  if (await hasUnsent(session)) return { asks: true };
  if (await session.signOut()) throw redirect('/');
  return { asks: false };
}

export function Component() {
  const { asks } = useLoaderData<typeof loader>();
  const { session } = useServices();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(asks);
  const [ended, setEnded] = useState(false);
  useEffect(() => {
    if (!asking) void session.endedOnServer().then(() => setEnded(true));
  }, [session, asking]);
  const leave = useCallback(async () => {
    if (await session.signOut()) return navigate('/');
    setAsking(false);
  }, [session, navigate]);
  return (
    <SiteLayout>
      {asking ? (
        <Suspense fallback={<Loading />}>
          <LeaveUnsent onLeave={leave} />
        </Suspense>
      ) : (
        <ErrorView title="Você saiu deste aparelho" quoted={false}>
          <span role="status">
            {ended
              ? 'A conexão voltou, e a sua sessão terminou também no servidor.'
              : 'Não conseguimos falar com o site agora. Nada seu ficou neste aparelho, e a sua sessão termina lá assim que a conexão voltar.'}
          </span>
        </ErrorView>
      )}
    </SiteLayout>
  );
}
