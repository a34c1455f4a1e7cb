import { type LoaderFunctionArgs, redirect } from 'react-router';
import { problemParam, readOutcome, sendOutcome } from '#web/app/google-window.ts';
import { pathAfterSignIn } from '#web/app/routes/guards.ts';
import { servicesContext } from '#web/app/services-context.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';

/**
 * The landing page after Google. In a popup window, it sends the result to the opener and closes the window.
 * If no opener confirms the result, this page redirects.
 */
export async function loader({ context, request }: LoaderFunctionArgs) {
  const search = new URL(request.url).searchParams;
  const outcome = readOutcome(search);
  if (await sendOutcome(outcome)) {
    window.close();
    return null;
  }
  const settled = await context.get(servicesContext).session.refresh();
  // A user who was signed in before returns to the page even if the confirmation with Google failed.
  if (settled.status === 'signed-in' && (outcome === 'signed-in' || search.has('para')))
    throw redirect(pathAfterSignIn(settled, search));
  throw redirect(`/login?${problemParam}=${outcome === 'signed-in' ? 'falhou' : outcome}`);
}

/** Users see this page only when the browser does not let the window close itself. */
export function Component() {
  return (
    <>
      <PageTitle title="Entrar com o Google" />
      <h1>Pode fechar esta janela</h1>
      <p>Volte à página de onde você veio: ela continua sozinha.</p>
    </>
  );
}
