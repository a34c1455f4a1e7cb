import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { servicesContext, useSession } from '#web/app/services.ts';
import { type SignedIn, userOf } from '#web/app/session.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { favouritesOf } from '#web/components/favourites/favourites.ts';
import { useFavourites } from '#web/components/favourites/use-favourites.ts';
import { CvvLink } from '#web/components/layout/contact-links.tsx';
import { DashedMessage, Loading } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { Link } from '#web/components/link.tsx';
import { shortName } from '#web/components/person-name.ts';
import styles from './area.module.css';
import { PracticeTiles } from './components/practice-tiles.tsx';

/** The number of favourites on this page; /minhas-praticas shows all. */
const shownFavourites = 3;

/** Loads the user's favourites; the page appears before they arrive. */
export async function loader({ context }: LoaderFunctionArgs) {
  const services = context.get(servicesContext);
  const present = await services.session.ready();
  // The guard has already redirected visitors.
  if (present.status !== 'signed-in') return { loaded: Promise.resolve() };
  return { loaded: deferred(favouritesOf(services, present.session.user.uid).load()) };
}

/** The page of a signed-in user, which opens after a sign-in. */
export function Component() {
  const { loaded } = useLoaderData<typeof loader>();
  const session = useSession();
  if (session.status === 'loading') return <Loading />;
  return (
    <div className={styles.page}>
      <PageTitle title="Minha área" />
      {session.status === 'signed-in' ? (
        <Area key={session.session.user.uid} present={session} loaded={loaded} />
      ) : (
        <>
          <h1 className="page-title">Minha área</h1>
          <p className="lead">Entre na sua conta para ver o que é seu.</p>
          <p>
            <ButtonLink to="/login?para=minha-area">Entrar</ButtonLink>
          </p>
        </>
      )}
    </div>
  );
}

function Area({ present, loaded }: { present: SignedIn; loaded: Promise<void> }) {
  const { uid } = present.session.user;
  const name = userOf(present)?.displayName;
  return (
    <>
      <header className={styles.head}>
        <h1 className="page-title">{name ? `Olá, ${shortName(name)}.` : 'Olá.'}</h1>
        <p className="lead">Esta é a sua área. O que está aqui, só você vê.</p>
      </header>
      <Deferred value={loaded} skeleton={<SkeletonBar width="full" />}>
        {() => <Kept uid={uid} />}
      </Deferred>
      <p className={styles.help}>
        Se agora está pesado demais, ligue <CvvLink /> (CVV, dia e noite). Em risco imediato,{' '}
        <a href="tel:192" aria-label="Ligar para o SAMU, 192">
          192
        </a>{' '}
        (SAMU).
      </p>
    </>
  );
}

/** The newest favourites, or an invitation to keep the first practice. */
function Kept({ uid }: { uid: string }) {
  const { favourites } = useFavourites(uid);
  if (!favourites) return null;
  const { documents } = favourites;
  return (
    <section className={styles.section} aria-labelledby="guardadas">
      <h2 id="guardadas">Práticas guardadas</h2>
      {documents.length === 0 ? (
        <DashedMessage headline="Comece por uma que caiba no seu dia.">
          <p>Três minutos já servem. Toque em Guardar, e ela espera por você aqui.</p>
          <ButtonLink to="/practices">Ver as práticas</ButtonLink>
        </DashedMessage>
      ) : (
        <>
          <PracticeTiles practices={documents.slice(0, shownFavourites)} />
          <p>
            <Link to="/minhas-praticas">
              {documents.length > shownFavourites
                ? `Ver as ${documents.length} guardadas`
                : 'Abrir Minhas práticas'}
            </Link>
          </p>
        </>
      )}
    </section>
  );
}
