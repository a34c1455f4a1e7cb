import { useSyncExternalStore } from 'react';
import type { Client } from '#client/client.ts';
import type { SignInInput, SignUpInput } from '#contract/credentials.ts';
import type { MoodRecord, SessionInfo, UserRecord } from '#contract/user.ts';
import { useServices } from './services-context.ts';
import { openTabs, type TabNews, type Tabs } from './session-tabs.ts';

export type SignedOut = { status: 'signed-out' };
export type SignedIn = {
  status: 'signed-in';
  session: SessionInfo;
  /** `false` when the document is missing. */
  user: UserRecord | false;
  /** The mood record; `false` when the document is missing. */
  userResearch: MoodRecord | false;
};
export type SettledSession = SignedOut | SignedIn;
/** `loading` until the session and the user record are there, and again during every sign-in or sign-out. */
export type SessionSnapshot = { status: 'loading' } | SettledSession;

export type SessionStore = ReturnType<typeof createSessionStore>;

/** The account asks for a second factor before it lets anybody in. */
export class SecondFactorAsked extends Error {
  override name = 'SecondFactorAsked';
}

const loading: SessionSnapshot = { status: 'loading' };
const signedOut: SettledSession = { status: 'signed-out' };

/** Who is signed in on this browser, as an external store. Asks nothing of the server until `load` or `ready`. */
export function createSessionStore(client: Client) {
  let snapshot: SessionSnapshot = loading;
  let settled: Promise<SettledSession> | undefined;
  /** Those attempts that are more than reading. */
  const changes = new WeakSet<Promise<SettledSession>>();
  const listeners = new Set<() => void>();
  /** Open while somebody is signed in: a visitor's tabs have nothing to tell each other. */
  let tabs: Tabs | undefined;
  let onOtherPerson: (() => void) | undefined;

  function publish(next: SessionSnapshot) {
    snapshot = next;
    if (next.status === 'signed-in' && onOtherPerson) tabs ??= openTabs(hear);
    if (next.status === 'signed-out') {
      tabs?.close();
      tabs = undefined;
    }
    for (const listener of listeners) listener();
  }

  /** Takes over what another tab says of the session. */
  function hear({ session }: TabNews) {
    if (snapshot.status !== 'signed-in') return;
    if (session && session.user.uid !== snapshot.session.user.uid) {
      void change(read).then(onOtherPerson, onOtherPerson);
      return;
    }
    const next = session ? { ...snapshot, session } : signedOut;
    settled = Promise.resolve(next);
    publish(next);
    if (!session) onOtherPerson?.();
  }

  async function withRecords(session: SessionInfo): Promise<SignedIn> {
    const { uid } = session.user;
    const [user, userResearch] = await Promise.all([
      client.documents.getUser(uid),
      client.documents.getWordMood(uid),
    ]);
    return { status: 'signed-in', session, user, userResearch };
  }

  async function read(): Promise<SettledSession> {
    const session = await client.auth.findSession();
    return session ? withRecords(session) : signedOut;
  }

  /**
   * Makes `operation` what `ready` waits for. When it fails while nothing else is in view, `fallback` is shown
   * and the next `ready` asks the server again.
   */
  function settle(operation: () => Promise<SettledSession>, fallback: SettledSession = signedOut) {
    const attempt = operation();
    settled = attempt;
    attempt.then(
      (next) => {
        if (settled !== attempt) return;
        publish(next);
        if (next.status === 'signed-in') tabs?.tell({ session: next.session });
      },
      () => {
        if (settled !== attempt) return;
        settled = undefined;
        if (snapshot.status === 'loading') publish(fallback);
      },
    );
    return attempt;
  }

  /** Like `settle`, with the loading flag set meanwhile; after a failure everything is as it was before. */
  function change(operation: () => Promise<SettledSession>) {
    const before = snapshot.status === 'loading' ? signedOut : snapshot;
    publish(loading);
    const attempt = settle(operation, before);
    changes.add(attempt);
    return attempt;
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    getSnapshot: () => snapshot,

    /** Reads the session once; later calls share the first answer. */
    load: () => settled ?? settle(read),

    /**
     * The session once nothing is under way and the user record is there: what guards wait for. A change that fails
     * leaves what was before, and fails for whoever made it alone. @throws what reading throws
     */
    async ready(): Promise<SettledSession> {
      for (;;) {
        const current = settled ?? settle(read);
        const next = changes.has(current) ? await current.catch(() => undefined) : await current;
        if (next && settled === current) return next;
      }
    },

    signUp: (input: SignUpInput) => change(async () => withRecords(await client.auth.signUp(input))),

    /** @throws SecondFactorAsked when the password was right and a code is missing; `finishSignIn` goes on */
    signIn: (input: SignInInput) =>
      change(async () => {
        const answer = await client.auth.signIn(input);
        if (answer === 'second-factor') throw new SecondFactorAsked();
        return withRecords(answer);
      }),

    finishSignIn: (code: string) => change(async () => withRecords(await client.auth.finishSignIn(code))),

    /** Clears the user and the user data, then signs out. */
    signOut: () =>
      change(async () => {
        await client.auth.signOut();
        tabs?.tell({ session: undefined });
        return signedOut;
      }),

    /**
     * Keeps in step with the other tabs of this browser. When one of them signs out, or somebody else signs in
     * there, the session changes here too and then `onChange` is called.
     */
    followOtherTabs(onChange: () => void) {
      onOtherPerson = onChange;
    },

    /** Reads the session again while the present one stays in view. */
    refresh: () => settle(read),
  };
}

/** The session as it is now; renders again when it changes. */
export function useSession(): SessionSnapshot {
  const { session } = useServices();
  return useSyncExternalStore(session.subscribe, session.getSnapshot, session.getSnapshot);
}

/** The signed-in person's record, or `undefined` while loading, signed out or without a record. */
export function userOf(snapshot: SessionSnapshot): UserRecord | undefined {
  return snapshot.status === 'signed-in' && snapshot.user ? snapshot.user : undefined;
}

export const isMember = (snapshot: SessionSnapshot) => Boolean(userOf(snapshot)?.member);

export const isAdmin = (snapshot: SessionSnapshot) => userOf(snapshot)?.member === 'admin';
