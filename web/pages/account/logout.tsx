import { type LoaderFunctionArgs, redirect } from 'react-router';
import { servicesContext } from '#web/services-context.ts';

/** Signs out on the way; there is no page to see. */
export async function loader({ context }: LoaderFunctionArgs) {
  await context.get(servicesContext).session.signOut();
  throw redirect('/');
}

export const Component = () => null;
