import { isAway } from '#client/client-error.ts';
import type { SignInInput, SignUpInput } from '#contract/credentials.ts';
import type { PasskeyAssertion } from '#contract/sign-in/passkeys.ts';
import type { MoodRecord, SessionInfo, UserRecord } from '#contract/user.ts';
import * as api from './api.ts';
import { chosenUid, eraseDevice, forgetUser, pendingSignOut } from './device-memory.ts';

export type SignedOut = { status: 'signed-out' };
export type SignedIn = {
  status: 'signed-in';
  session: SessionInfo;
  /** The user record; `false` when it is missing. */
  user: UserRecord | false;
  /** The mood record; `false` when it is missing. */
  userResearch: MoodRecord | false;
};
export type SettledSession = SignedOut | SignedIn;
/** The status is `loading` until the session and the user record are loaded, and during session changes. */
export type SessionSnapshot = { status: 'loading' } | SettledSession;

export type SessionStore = ReturnType<typeof createSessionStore>;

/** Thrown when the account requires a second factor to complete the sign-in. */
export class SecondFactorAsked extends Error {}

/** How long a sign-out waits for the server before it continues without a response. */
const signOutWaitMs = 4_000;
/** How long the store waits before it repeats a failed sign-out request. */
const signOutRetryMs = 15_000;

/** Resolves with the value of `promise`, or with `undefined` after an error or after `signOutWaitMs`. */
const withinTimeLimit = <T>(promise: Promise<T>) =>
  Promise.race([
    promise.catch(() => undefined),
    new Promise<undefined>((resolve) => setTimeout(resolve, signOutWaitMs)),
  ]);

const loading: SessionSnapshot = { status: 'loading' };
const signedOut: SettledSession = { status: 'signed-out' };

/**
 * Creates a store of this browser's session, for `useSyncExternalStore`. Sends no request.
 * @param findKept finds the session that this device has kept for use without network
 */
export function createSessionStore(
  findSession = api.findSession,
  findKept: () => Promise<SignedIn | undefined> = async () => undefined,
) {
  let snapshot: SessionSnapshot = loading;
  let settled: Promise<SettledSession> | undefined;
  /** The promises of the operations that change the session. */
  const changes = new WeakSet<Promise<SettledSession>>();
  const listeners = new Set<() => void>();
  /** Resolves when the server has ended the session. Set only while a sign-out waits for the server. */
  let endedOnServer: Promise<void> | undefined;
  let confirmEnd = () => {};
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let readTimer: ReturnType<typeof setTimeout> | undefined;
  /** The channel to other tabs, open from a sign-in to a sign-out. */
  let tabs: Tabs | undefined;
  /** The user whose data this tab may still show, even after the session has expired. */
  let lastUid: string | undefined;
  let onOtherUser: (() => void) | undefined;

  function publish(next: SessionSnapshot) {
    snapshot = next;
    if (next.status === 'signed-in') {
      lastUid = next.session.user.uid;
      if (onOtherUser) tabs ??= openTabs(applyNews);
    }
    for (const listener of listeners) listener();
  }

  /** Applies the session that another tab reports. */
  function applyNews({ session }: TabNews) {
    if (snapshot.status === 'loading') return;
    if (!session) {
      settleAs(signedOut);
      leaveTabs();
      onOtherUser?.();
    } else if (session.user.uid !== lastUid) {
      void change(read).then(onOtherUser, onOtherUser);
    } else if (snapshot.status === 'signed-in') settleAs({ ...snapshot, session });
  }

  function settleAs(next: SettledSession) {
    settled = Promise.resolve(next);
    publish(next);
  }

  function leaveTabs() {
    tabs?.close();
    tabs = undefined;
    lastUid = undefined;
  }

  async function withRecords(session: SessionInfo): Promise<SignedIn> {
    const { uid } = session.user;
    const { documents } = await api.loadClient();
    const [user, userResearch] = await Promise.all([documents.getUser(uid), documents.getWordMood(uid)]);
    return { status: 'signed-in', session, user, userResearch };
  }

  /**
   * If a session has ended on this device but not on the server, ends it on the server.
   * @throws errors of the calls to the server; the caller reports them or calls `retrySignOut`
   */
  async function endOnServer(): Promise<void> {
    const startedAt = pendingSignOut.find();
    if (startedAt === undefined) return;
    // Another user may have signed in meanwhile. Do not end that user's session.
    const present = startedAt === '' ? undefined : await findSession();
    if (startedAt === '' || String(present?.startedAt) === startedAt) await api.signOut();
    markEnded();
  }

  function markEnded() {
    pendingSignOut.done();
    confirmEnd();
    endedOnServer = undefined;
  }

  /** Tries again to end the session on the server: after a delay, or when the browser is online again. */
  function retrySignOut() {
    clearTimeout(retryTimer);
    const retry = () => {
      clearTimeout(retryTimer);
      window.removeEventListener('online', retry);
      endOnServer().catch(retrySignOut);
    };
    retryTimer = setTimeout(retry, signOutRetryMs);
    window.addEventListener('online', retry);
  }

  /** Completes a pending sign-out on the server, then runs `begin`, which starts a new session. */
  async function beginning<T>(begin: () => Promise<T>): Promise<T> {
    await endOnServer();
    return begin();
  }

  async function read(): Promise<SettledSession> {
    try {
      await endOnServer();
    } catch {
      retrySignOut();
      return signedOut;
    }
    try {
      const session = await findSession();
      return session ? await withRecords(session) : signedOut;
    } catch (error) {
      const kept = isAway(error) ? await findKept() : undefined;
      // In this tab, another user has signed in since.
      if (!kept || (lastUid !== undefined && lastUid !== kept.session.user.uid)) throw error;
      readAgainLater();
      return kept;
    }
  }

  /** Reads the session again, because the kept one may have ended. */
  function readAgainLater() {
    clearTimeout(readTimer);
    const again = () => {
      clearTimeout(readTimer);
      window.removeEventListener('online', again);
      void settle(read);
    };
    readTimer = setTimeout(again, signOutRetryMs);
    window.addEventListener('online', again);
  }

  /**
   * Makes `ready` wait for `operation`. If the operation fails, the next call of `ready` asks the server
   * again. After a failure, the store also publishes `fallback` if the status is still `loading`.
   */
  function settle(operation: () => Promise<SettledSession>, fallback: SettledSession = signedOut) {
    const attempt = operation();
    settled = attempt;
    attempt.then(
      (next) => {
        if (settled !== attempt) return;
        publish(next);
        if (next.status === 'signed-in') tabs?.send({ session: next.session });
      },
      () => {
        if (settled !== attempt) return;
        settled = undefined;
        if (snapshot.status === 'loading') publish(fallback);
      },
    );
    return attempt;
  }

  /** Like `settle`, but the status is `loading` during `operation`. A failure restores the previous state. */
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

    /** Reads the session once; later calls share the result. */
    load: () => settled ?? settle(read),

    /**
     * Resolves with the session when no operation is pending and the user record is loaded. Guards call this.
     * If a change of the session fails, only the caller of the change gets the error, and `ready` reads the
     * session again.
     * @throws errors from reading the session or the records
     */
    async ready(): Promise<SettledSession> {
      for (;;) {
        const current = settled ?? settle(read);
        const next = changes.has(current) ? await current.catch(() => undefined) : await current;
        if (next && settled === current) return next;
      }
    },

    signUp: (input: SignUpInput) =>
      change(async () =>
        withRecords(await beginning(async () => (await api.loadClient()).auth.signUp(input))),
      ),

    /**
     * @throws SecondFactorAsked when the password is right but a code is missing; then call `finishSignIn`
     */
    signIn: (input: SignInInput) =>
      change(async () => {
        const result = await beginning(async () => (await api.loadClient()).auth.signIn(input));
        if (result === 'second-factor') throw new SecondFactorAsked();
        return withRecords(result);
      }),

    signInWithPasskey: (assertion: PasskeyAssertion) =>
      change(async () =>
        withRecords(await beginning(async () => (await api.loadClient()).auth.signInWithPasskey(assertion))),
      ),

    finishSignIn: (code: string) =>
      change(async () => withRecords(await (await api.loadClient()).auth.finishSignIn(code))),

    /**
     * Removes the user data from this device, then ends the session on the server.
     * @returns whether the server has confirmed the sign-out within `signOutWaitMs`. If not, await
     * `endedOnServer`.
     */
    async signOut(): Promise<boolean> {
      const before =
        snapshot.status === 'loading' ? await withinTimeLimit(settled ?? settle(read)) : snapshot;
      const present = before?.status === 'signed-in' ? before.session : undefined;
      // First, because it makes space in a full storage.
      forgetUser(present?.user.uid);
      pendingSignOut.note(present ? String(present.startedAt) : '');
      tabs ??= openTabs(() => {});
      tabs.send({ session: undefined });
      leaveTabs();

      endedOnServer ??= new Promise((resolve) => {
        confirmEnd = resolve;
      });
      const request = api.signOut().then(() => {
        markEnded();
        return true;
      });
      // Attach the handler to the request itself, because the request can fail after the time limit.
      request.catch(retrySignOut);
      let ended: boolean | undefined;
      // What another user keeps on this device stays.
      const chosen = chosenUid();
      const erased =
        chosen !== undefined && (!present || present.user.uid === chosen) ? eraseDevice() : undefined;
      await change(async () => {
        ended = await withinTimeLimit(request);
        await erased;
        return signedOut;
      });
      return ended === true;
    },

    /** Resolves when no sign-out is waiting for the server's confirmation any more. */
    endedOnServer: async () => endedOnServer,

    /**
     * Follows the sessions of the browser's other tabs. When another tab reports a sign-out or another user's
     * session, the session changes in this tab too. The store then calls `onChange`.
     */
    followOtherTabs(onChange: () => void) {
      onOtherUser = onChange;
    },

    /** Reads the session again. The previous session stays visible until the new one is loaded. */
    refresh: () => settle(read),
  };
}

/** The signed-in user's record; `undefined` while loading, signed out or without a record. */
export function userOf(snapshot: SessionSnapshot): UserRecord | undefined {
  return snapshot.status === 'signed-in' && snapshot.user ? snapshot.user : undefined;
}

/** True if the user is a member. Every editor and every admin is a member. */
export const isMember = (snapshot: SessionSnapshot) => Boolean(userOf(snapshot)?.member);

/** True if the user may edit the library and draft the site. Every admin is an editor. */
export const isEditor = (snapshot: SessionSnapshot) => typeof userOf(snapshot)?.member === 'string';

export const isAdmin = (snapshot: SessionSnapshot) => userOf(snapshot)?.member === 'admin';

/** What another tab reports: its session, or `undefined` after a sign-out. */
type TabNews = { session: SessionInfo | undefined };

type Tabs = { send: (news: TabNews) => void; close: () => void };

/** Opens the channel between the tabs of this browser. The browser does not store its messages. */
function openTabs(onNews: (news: TabNews) => void): Tabs {
  // Without BroadcastChannel, a tab notices the end of the session at its next call to the server.
  if (typeof BroadcastChannel === 'undefined') return { send: () => {}, close: () => {} };
  const channel = new BroadcastChannel('acolhe:session');
  channel.addEventListener('message', ({ data }: MessageEvent<TabNews>) => onNews(data));
  return { send: (news) => channel.postMessage(news), close: () => channel.close() };
}
