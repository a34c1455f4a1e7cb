import { type LoaderFunctionArgs, redirect } from 'react-router';
import { problemParam, readOutcome, sendOutcome } from '#web/app/google-window.ts';
import { wantedPractice } from '#web/app/kept-tokens.ts';
import { servicesContext } from '#web/app/services.ts';
import { wantedParam } from '#web/components/favourites/wanted-path.ts';
import { pathAfterKeeping } from '#web/components/favourites/wanted-practice.ts';
import { PageTitle } from '#web/components/layout/page-title.tsx';

/**
 * Google redirects to this page after a sign-in. In a popup window, the page sends the result to the opener
 * and closes the window. If no opener confirms the result, the page redirects.
 */
export async function loader({ context, request }: LoaderFunctionArgs) {
  const search = new URL(request.url).searchParams;
  const outcome = readOutcome(search);
  if (await sendOutcome(outcome)) {
    window.close();
    return null;
  }
  const settled = await context.get(servicesContext).session.refresh();
  // After a sign-in, go on to the page that the user wanted. A signed-in user with `para` only had to confirm
  // who they are: return to the page that `para` names, even if that failed.
  if (settled.status === 'signed-in' && (outcome === 'signed-in' || search.has('para'))) {
    if (!search.has('para')) search.set(wantedParam, wantedPractice.find());
    throw redirect(await pathAfterKeeping(settled, search));
  }
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
