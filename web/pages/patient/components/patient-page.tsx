import { createContext, type ReactNode, use, useEffect } from 'react';
import { useRevalidator } from 'react-router';
import type { SessionInfo } from '#contract/user.ts';
import { useLastSignedIn } from '#web/app/services.ts';
import { ButtonLink } from '#web/components/button.tsx';
import { Deferred, SkeletonBar } from '#web/components/deferred.tsx';
import { Loading } from '#web/components/layout/messages.tsx';
import { PageTitle } from '#web/components/layout/page-title.tsx';
import styles from './patient-page.module.css';

const PatientUid = createContext<string | undefined>(undefined);

/** Returns the uid of the user for whom the page was opened, also after another user has signed in. */
export const usePatientUid = () => use(PatientUid);

type Frame = {
  title: string;
  /** Without it, the children show the heading. */
  lead?: string;
  links?: readonly (readonly [path: string, words: string])[];
};

/** The frame of the patient's pages: title, heading, and the width of a text. */
export function PatientFrame({ title, lead, links = [], children }: Frame & { children: ReactNode }) {
  return (
    <div className={styles.page}>
      <PageTitle title={title} />
      {lead !== undefined && (
        <header className={styles.head}>
          <h1 className="page-title">{title}</h1>
          <p className="lead">{lead}</p>
          {links.length > 0 && (
            <p className={styles.links}>
              {links.map(([path, words]) => (
                <ButtonLink key={path} to={path} variant="quiet" size="small">
                  {words}
                </ButtonLink>
              ))}
            </p>
          )}
        </header>
      )}
      {children}
    </div>
  );
}

/**
 * A page with what its loader has loaded for one user. It stays while the session loads or has ended, so that
 * no text in a form is lost. For another user, the loader runs again.
 * @param uid the user for whom the loader ran; empty if there was none
 */
export function PatientPage<Loaded>({
  uid,
  loaded,
  children,
  ...frame
}: Frame & {
  uid: string;
  loaded: Promise<Loaded>;
  children: (loaded: Loaded, user: SessionInfo['user']) => ReactNode;
}) {
  const user = useLastSignedIn()?.session.user;
  const { revalidate } = useRevalidator();
  const isOther = user !== undefined && user.uid !== uid;
  useEffect(() => {
    if (isOther) void revalidate();
  }, [isOther, revalidate]);
  if (!user || isOther) return <Loading />;
  return (
    <PatientFrame key={uid} {...frame}>
      <Deferred value={loaded} skeleton={<SkeletonBar width="full" />}>
        {(found) => <PatientUid value={uid}>{children(found, user)}</PatientUid>}
      </Deferred>
    </PatientFrame>
  );
}
