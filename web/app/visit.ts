import type { ComponentType } from 'react';

/** Why a guard has redirected the visitor. */
export type Refusal = {
  /** The path that the visitor wanted to open. */
  path: string;
  /** The role that the path needs. */
  role: 'admin' | 'editor' | 'member';
  /** True if the visitor was signed in, but without that role. */
  signedIn: boolean;
};

/** What happened since the page was loaded. It stays in memory, so that the browser stores nothing. */
export const visit = {
  /** The refusal of the page that opens after a sign-in. */
  wanted: undefined as Refusal | undefined,
  /** The last refusal, until the visitor has been told about it. */
  untold: undefined as Refusal | undefined,
  /** A notice that the home page shows until the visitor closes it or signs in. */
  homeNotice: undefined as ComponentType<{ onClose: () => void }> | undefined,

  refuse(refusal: Refusal) {
    visit.untold = refusal;
    visit.wanted = refusal.signedIn ? undefined : refusal;
  },
};
