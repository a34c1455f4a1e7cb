import type { Client } from '#client/client.ts';
import type { SignInInput, SignUpInput } from '#contract/credentials.ts';
import type { MoodRecord, SessionInfo, UserRecord } from '#contract/user.ts';
import { forgetPerson, pendingSignOut } from './device-memory.ts';
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
/** `loading` until the session and the user record are read, and again during every sign-in or sign-out. */
export type SessionSnapshot = { status: 'loading' } | SettledSession;

export type SessionStore = ReturnType<typeof createSessionStore>;

/** The account requires a second factor before the sign-in is complete. */
export class SecondFactorAsked extends Error {
  override name = 'SecondFactorAsked';
}

/** How long a sign-out waits for the server before it continues without an answer. */
const signOutWaitMs = 4_000;
/** The delay before another attempt to tell the server of a sign-out. */
const tellAgainMs = 15_000;

/**
 * Resolves with the value of `promise`, or with `undefined` after an error or the time limit of a sign-out.
 */
const soon = <T>(promise: Promise<T>) =>
  Promise.race([
    promise.catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(resolve, signOutWaitMs)),
  ]);

const loading: SessionSnapshot = { status: 'loading' };
const signedOut: SettledSession = { status: 'signed-out' };

/** Creates an external store of this browser's session. It sends no request before `load` or `ready`. */
export function createSessionStore(client: Client) {
  let snapshot: SessionSnapshot = loading;
  let settled: Promise<SettledSession> | undefined;
  /** The operations that change the session. */
  const changes = new WeakSet<Promise<SettledSession>>();
  const listeners = new Set<() => void>();
  /** Settles when the server has ended a session whose sign-out it could not receive immediately. */
  let serverTold: PromiseWithResolvers<void> | undefined;
  let nextTry: ReturnType<typeof setTimeout> | undefined;
  /** Open while a user is signed in: the tabs of a visitor have nothing to share. */
  let tabs: Tabs | undefined;
  let onOtherUser: (() => void) | undefined;

  function publish(next: SessionSnapshot) {
    snapshot = next;
    if (next.status === 'signed-in' && onOtherUser) tabs ??= openTabs(hear);
    if (next.status === 'signed-out') {
      tabs?.close();
      tabs = undefined;
    }
    for (const listener of listeners) listener();
  }

  /** Applies the session that another tab reports. */
  function hear({ session }: TabNews) {
    if (snapshot.status !== 'signed-in') return;
    if (session && session.user.uid !== snapshot.session.user.uid) {
      void change(read).then(onOtherUser, onOtherUser);
      return;
    }
    const next = session ? { ...snapshot, session } : signedOut;
    settled = Promise.resolve(next);
    publish(next);
    if (!session) onOtherUser?.();
  }

  async function withRecords(session: SessionInfo): Promise<SignedIn> {
    const { uid } = session.user;
    const [user, userResearch] = await Promise.all([
      client.documents.getUser(uid),
      client.documents.getWordMood(uid),
    ]);
    return { status: 'signed-in', session, user, userResearch };
  }

  /**
   * Ends the session that has ended on this device but is still open on the server.
   * @throws errors of the calls; `tellLater` then retries
   */
  async function endOnServer(): Promise<void> {
    const startedAt = pendingSignOut.find();
    if (startedAt === undefined) return;
    // The browser may now hold another user's session, which must not end.
    const present = startedAt === '' ? undefined : await client.auth.findSession();
    if (startedAt === '' || String(present?.startedAt) === startedAt) await client.auth.signOut();
    markEnded();
  }

  function markEnded() {
    pendingSignOut.done();
    serverTold?.resolve();
    serverTold = undefined;
  }

  /** Retries after a delay, or as soon as the browser is online. */
  function tellLater() {
    clearTimeout(nextTry);
    const again = () => {
      clearTimeout(nextTry);
      window.removeEventListener('online', again);
      endOnServer().catch(tellLater);
    };
    nextTry = setTimeout(again, tellAgainMs);
    window.addEventListener('online', again);
  }

  /** Ends an old session on the server before a new one starts. */
  async function beginning<T>(begin: () => Promise<T>): Promise<T> {
    await endOnServer();
    return begin();
  }

  async function read(): Promise<SettledSession> {
    try {
      await endOnServer();
    } catch {
      tellLater();
      return signedOut;
    }
    const session = await client.auth.findSession();
    return session ? withRecords(session) : signedOut;
  }

  /**
   * Makes `operation` the promise that `ready` waits for. If it fails while the status is `loading`, the
   * store publishes `fallback`, and the next `ready` asks the server again.
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

  /** Like `settle`, with status `loading` meanwhile; after a failure the previous state returns. */
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
     * Resolves with the session when no operation is pending and the user record is read; guards wait for it.
     * If a change fails, the previous session stays, and only the caller of the change gets the error.
     * @throws errors of reading
     */
    async ready(): Promise<SettledSession> {
      for (;;) {
        const current = settled ?? settle(read);
        const next = changes.has(current) ? await current.catch(() => undefined) : await current;
        if (next && settled === current) return next;
      }
    },

    signUp: (input: SignUpInput) =>
      change(async () => withRecords(await beginning(() => client.auth.signUp(input)))),

    /**
     * @throws SecondFactorAsked when the password is right and a code is missing; then call `finishSignIn`
     */
    signIn: (input: SignInInput) =>
      change(async () => {
        const answer = await beginning(() => client.auth.signIn(input));
        if (answer === 'second-factor') throw new SecondFactorAsked();
        return withRecords(answer);
      }),

    finishSignIn: (code: string) => change(async () => withRecords(await client.auth.finishSignIn(code))),

    /**
     * Clears the user and the user data on this device immediately, and signs out.
     * @returns whether the server has ended the session; if not, retries continue, see `serverTold`
     */
    async signOut(): Promise<boolean> {
      const before = snapshot.status === 'loading' ? await soon(settled ?? settle(read)) : snapshot;
      const present = before?.status === 'signed-in' ? before.session : undefined;
      pendingSignOut.note(present ? String(present.startedAt) : '');
      forgetPerson(present?.user.uid);
      const line = tabs ?? openTabs(() => {});
      line.tell({ session: undefined });
      if (line !== tabs) line.close();

      serverTold ??= Promise.withResolvers();
      const telling = client.auth.signOut().then(() => {
        markEnded();
        return true;
      });
      // The request may also fail after the waiting time.
      telling.catch(tellLater);
      let told: boolean | undefined;
      await change(async () => {
        told = await soon(telling);
        return signedOut;
      });
      return told === true;
    },

    /** Settles when the server has ended the session. */
    serverTold: async () => serverTold?.promise,

    /**
     * Follows the sessions of the browser's other tabs. When one of them signs out or another user signs in,
     * the session changes here too, and then `onChange` is called.
     */
    followOtherTabs(onChange: () => void) {
      onOtherUser = onChange;
    },

    /** Reads the session again; the present one stays visible meanwhile. */
    refresh: () => settle(read),
  };
}

/** The signed-in user's record; `undefined` while loading, signed out or without a record. */
export function userOf(snapshot: SessionSnapshot): UserRecord | undefined {
  return snapshot.status === 'signed-in' && snapshot.user ? snapshot.user : undefined;
}

export const isMember = (snapshot: SessionSnapshot) => Boolean(userOf(snapshot)?.member);

export const isAdmin = (snapshot: SessionSnapshot) => userOf(snapshot)?.member === 'admin';
