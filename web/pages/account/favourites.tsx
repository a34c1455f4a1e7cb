import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { servicesContext, useSession } from '#web/app/services.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { favouritesOf } from '#web/components/favourites/favourites.ts';
import { Loading } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import styles from './favourites/favourite-list.module.css';
import { FavouriteList } from './favourites/favourite-list.tsx';

/** Loads the user's favourites; the page appears before they arrive. */
export async function loader({ context }: LoaderFunctionArgs) {
  const services = context.get(servicesContext);
  const present = await services.session.ready();
  // The guard has already redirected visitors.
  if (present.status !== 'signed-in') return { loaded: Promise.resolve() };
  return { loaded: deferred(favouritesOf(services, present.session.user.uid).load()) };
}

/** The page with the favourites of the signed-in user. */
export function Component() {
  const { loaded } = useLoaderData<typeof loader>();
  const session = useSession();
  if (session.status === 'loading') return <Loading />;
  return (
    <div className={styles.page}>
      <PageTitle title="Minhas práticas" />
      <header className={styles.head}>
        <h1 className="page-title">Minhas práticas</h1>
        <p className="lead">
          {session.status === 'signed-in'
            ? 'As práticas que você guardou. Só você vê esta lista.'
            : 'Entre na sua conta para ver as práticas que você guardou.'}
        </p>
      </header>
      {session.status === 'signed-in' ? (
        <Deferred value={loaded} skeleton={<SkeletonBar width="full" />}>
          {() => <FavouriteList uid={session.session.user.uid} />}
        </Deferred>
      ) : (
        <p>
          <ButtonLink to="/login">Entrar</ButtonLink>
        </p>
      )}
    </div>
  );
}
