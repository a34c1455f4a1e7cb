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
/** `loading` until the session and the user record are there, and again during every sign-in or sign-out. */
export type SessionSnapshot = { status: 'loading' } | SettledSession;

export type SessionStore = ReturnType<typeof createSessionStore>;

/** The account asks for a second factor before it lets anybody in. */
export class SecondFactorAsked extends Error {
  override name = 'SecondFactorAsked';
}

/** How long a sign-out waits for the server before it goes on without it. */
const signOutWaitMs = 4_000;
/** After so long the server is told again of a sign-out. */
const tellAgainMs = 15_000;

/** What `promise` gives within the time of a sign-out; `undefined` when it fails or takes longer. */
const soon = <T>(promise: Promise<T>) =>
  Promise.race([
    promise.catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(resolve, signOutWaitMs)),
  ]);

const loading: SessionSnapshot = { status: 'loading' };
const signedOut: SettledSession = { status: 'signed-out' };

/** Who is signed in on this browser, as an external store. Asks nothing of the server until `load` or `ready`. */
export function createSessionStore(client: Client) {
  let snapshot: SessionSnapshot = loading;
  let settled: Promise<SettledSession> | undefined;
  /** Those attempts that are more than reading. */
  const changes = new WeakSet<Promise<SettledSession>>();
  const listeners = new Set<() => void>();
  /** Settles when the server knows of a sign-out that it could not be told at once. */
  let serverTold: PromiseWithResolvers<void> | undefined;
  let nextTry: ReturnType<typeof setTimeout> | undefined;
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

  /**
   * Ends the session that has ended on this device, where the server still holds it open.
   * @throws what the calls throw; `tellLater` goes on with it
   */
  async function endOnServer(): Promise<void> {
    const startedAt = pendingSignOut.find();
    if (startedAt === undefined) return;
    // By now the browser may hold another person's session, which must not end.
    const present = startedAt === '' ? undefined : await client.auth.findSession();
    if (startedAt === '' || String(present?.startedAt) === startedAt) await client.auth.signOut();
    markEnded();
  }

  function markEnded() {
    pendingSignOut.done();
    serverTold?.resolve();
    serverTold = undefined;
  }

  /** Tries again and again, and as soon as the browser is online. */
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

  /** Nothing begins a session while one that ended here is still open at the server. */
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

    signUp: (input: SignUpInput) =>
      change(async () => withRecords(await beginning(() => client.auth.signUp(input)))),

    /** @throws SecondFactorAsked when the password was right and a code is missing; `finishSignIn` goes on */
    signIn: (input: SignInInput) =>
      change(async () => {
        const answer = await beginning(() => client.auth.signIn(input));
        if (answer === 'second-factor') throw new SecondFactorAsked();
        return withRecords(answer);
      }),

    finishSignIn: (code: string) => change(async () => withRecords(await client.auth.finishSignIn(code))),

    /**
     * Clears the user and the user data on this device at once, and signs out.
     * @returns whether the server knows; otherwise it is told as soon as it can be reached, see `serverTold`
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
      // Also after the time in which it was waited for.
      telling.catch(tellLater);
      let told: boolean | undefined;
      await change(async () => {
        told = await soon(telling);
        return signedOut;
      });
      return told === true;
    },

    /** Settles when the server knows that the session has ended. */
    serverTold: async () => serverTold?.promise,

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

/** The signed-in person's record, or `undefined` while loading, signed out or without a record. */
export function userOf(snapshot: SessionSnapshot): UserRecord | undefined {
  return snapshot.status === 'signed-in' && snapshot.user ? snapshot.user : undefined;
}

export const isMember = (snapshot: SessionSnapshot) => Boolean(userOf(snapshot)?.member);

export const isAdmin = (snapshot: SessionSnapshot) => userOf(snapshot)?.member === 'admin';
