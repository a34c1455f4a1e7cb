import { useState } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { servicesContext } from '#web/app/services-context.ts';
import { isAdmin, type SignedIn } from '#web/app/session.ts';
import { useSession } from '#web/app/use-session.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { Deferred, deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { Loading } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import { DeleteAccount } from './account/delete-account.tsx';
import { MyData } from './account/my-data.tsx';
import { Password } from './account/password.tsx';
import { Profile } from './account/profile.tsx';
import { SecondFactor } from './account/second-factor.tsx';
import { Sessions } from './account/sessions.tsx';
import styles from './account.module.css';

/** Loads the lists of sign-in methods and sessions; the page appears before they arrive. */
export function loader({ context, request }: LoaderFunctionArgs) {
  const { documents } = context.get(servicesContext).client;
  return { account: deferred(documents.exportAccount(request.signal)) };
}

/** The account page of the signed-in user. */
export function Component() {
  const { account } = useLoaderData<typeof loader>();
  const signedIn = useLastSignedIn();
  if (!signedIn) return <Loading />;
  const { uid, email, secondFactor } = signedIn.session.user;

  return (
    <div className={styles.page} key={uid}>
      <PageTitle title="Conta" />
      <header className={styles.head}>
        <h1 className="page-title">Sua conta</h1>
        <p className="lead">Seus dados, sua senha e os aparelhos em que você entrou.</p>
        <p>
          <ButtonLink to="/minhas-praticas" variant="quiet" size="small">
            Minhas práticas
          </ButtonLink>
        </p>
      </header>
      <Profile signedIn={signedIn} account={account} />
      <Deferred value={account} skeleton={<SkeletonBar width="full" />}>
        {({ signInMethods, sessions }) => {
          const hasPassword = signInMethods.some(({ provider }) => provider === 'credential');
          return (
            <>
              <Password email={email} hasPassword={hasPassword} />
              {(isAdmin(signedIn) || secondFactor) && hasPassword && <SecondFactor on={secondFactor} />}
              <Sessions sessions={sessions} />
              <MyData />
              <DeleteAccount hasPassword={hasPassword} startedAt={signedIn.session.startedAt} />
            </>
          );
        }}
      </Deferred>
    </div>
  );
}

/** Returns the last signed-in state, so that forms stay visible while the session loads or when it ends. */
function useLastSignedIn(): SignedIn | undefined {
  const present = useSession();
  const [last, setLast] = useState<SignedIn>();
  if (present.status !== 'signed-in') return last;
  if (present !== last) setLast(present);
  return present;
}
