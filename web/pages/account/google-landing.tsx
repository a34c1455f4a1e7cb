import { type LoaderFunctionArgs, redirect } from 'react-router';
import { handOver, outcomeParam, readOutcome } from '#web/app/google-window.ts';
import { homeOf } from '#web/app/guards.ts';
import { servicesContext } from '#web/app/services-context.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';

/**
 * Where the browser lands after Google. A window that was opened for it tells the page that opened it, and
 * closes; in a page that went to Google itself, the way goes on from here.
 */
export async function loader({ context, request }: LoaderFunctionArgs) {
  const outcome = readOutcome(new URL(request.url).searchParams);
  if (await handOver(outcome)) {
    window.close();
    return null;
  }
  if (outcome !== 'signed-in') throw redirect(`/login?${outcomeParam}=${outcome}`);
  const settled = await context.get(servicesContext).session.refresh();
  throw redirect(settled.status === 'signed-in' ? homeOf(settled) : `/login?${outcomeParam}=falhou`);
}

/** Seen only where a window does not let itself be closed. */
export function Component() {
  return (
    <>
      <PageTitle title="Entrar com o Google" />
      <h1>Pode fechar esta janela</h1>
      <p>A página de onde você veio já sabe como terminou, e continua de lá.</p>
    </>
  );
}
