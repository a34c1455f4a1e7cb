import { type LoaderFunctionArgs, redirect } from 'react-router';
import { clearDrafts } from '#web/drafts.ts';
import { servicesContext } from '#web/services-context.ts';

/** Signs out on the way; there is no page to see. */
export async function loader({ context }: LoaderFunctionArgs) {
  const { session } = context.get(servicesContext);
  const before = await session.ready().catch(() => undefined);
  await session.signOut();
  if (before?.status === 'signed-in') clearDrafts(before.session.user.uid);
  throw redirect('/');
}

export const Component = () => null;
