import { useEffect, useState, useSyncExternalStore } from 'react';
import { isOffline } from '#client/load-chunk.ts';
import type { SiteContent } from '#contract/site/content.ts';
import { getContent } from '#web/app/api.ts';
import { client } from '#web/app/client.ts';
import { chosenUid } from '#web/app/device-memory.ts';
import type { Services } from '#web/app/services.ts';
import type { SessionStore, SignedIn } from '#web/app/session.ts';
import { createQueue, type Queue, type RunEnd } from './queue.ts';
import type { Waiting } from './queue-items.ts';
import { type Device, findDevice } from './store.ts';

/** What the queue of this tab knows. */
export type QueueState = {
  waiting: readonly Waiting[];
  /** Grows when an item has left the queue, so that pages read the diary again. */
  left: number;
  /** The ids of entries that this tab is sending. */
  sending: readonly string[];
  end: RunEnd;
};

export type TabQueue = Queue & {
  readonly state: () => QueueState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Sends what waits. Repeats it later, if that can help. */
  readonly flush: () => Promise<RunEnd>;
  /** Stores a deletion that is not sent before `send`, or before this tab ends. */
  readonly removeLater: (id: string) => Promise<{ send: () => Promise<void>; takeBack: () => Promise<void> }>;
};

const nothing: QueueState = { waiting: [], left: 0, sending: [], end: 'done' };
/** While this tab sends, the pages learn of it at most this often: they render everything that waits. */
const progressMs = 1_000;
const [firstRetryMs, lastRetryMs] = [5_000, 5 * 60_000];

let session: SessionStore | undefined;
let current: { device: Device; queue: TabQueue; ready: Promise<void>; close: () => void } | undefined;

/** Opens the queue of the user who has chosen this device. @returns undefined if there is no such user */
export async function openTabQueue(): Promise<TabQueue | undefined> {
  const uid = chosenUid();
  const device = uid === undefined ? undefined : await findDevice(uid).catch(() => undefined);
  // The device was erased, and may have been chosen again.
  if (current && current.device !== device) current.close();
  if (!device) return undefined;
  current ??= createTabQueue(device);
  const { ready, queue } = current;
  await ready;
  return queue;
}

function createTabQueue(device: Device) {
  const { uid } = device;
  const listeners = new Set<() => void>();
  let state = nothing;
  let retryMs = firstRetryMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sending: readonly string[] = [];
  let progress: ReturnType<typeof setTimeout> | undefined;
  let refreshed = Promise.resolve();
  /** The ids of deletions that the page offers to undo. */
  const undoable = new Set<string>();
  const stop = new AbortController();
  const tabs = new BroadcastChannel('acolhe-queue');
  tabs.onmessage = () => void refresh();

  function update(change: Partial<QueueState>) {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }
  const queue = createQueue(
    device,
    {
      change: async (...input) => (await client.diary(uid)).change(...input),
      deleteEntry: async (...input) => (await client.diary(uid)).deleteEntry(...input),
    },
    {
      onChange: tell,
      onSending(ids) {
        const isMore = sending.length > 0 && ids.length > 0;
        sending = ids;
        if (isMore) progress ??= setTimeout(tell, progressMs);
        else tell();
      },
    },
  );

  /** Tells the pages of all tabs what waits. */
  function tell() {
    clearTimeout(progress);
    progress = undefined;
    if (stop.signal.aborted) return;
    tabs.postMessage('changed');
    void refresh();
  }

  /** Reads what waits. One call after another, so that no older list replaces a newer one. */
  function refresh(): Promise<void> {
    refreshed = refreshed.then(readWaiting);
    return refreshed;
  }

  async function readWaiting() {
    try {
      const waiting = (await queue.list()).filter(({ id }) => !undoable.has(id));
      const hasLeft = state.waiting.some(({ id }) => !waiting.some((one) => one.id === id));
      update({ waiting, left: state.left + (hasLeft ? 1 : 0), sending });
    } catch {
      // Another tab has erased the device, so the database is closed.
    }
  }

  async function removeLater(id: string) {
    const release = await queue.hold(id);
    undoable.add(id);
    const end = () => {
      undoable.delete(id);
      release();
    };
    try {
      await queue.remove(id);
    } catch (error) {
      end();
      throw error;
    }
    return {
      async send() {
        end();
        await flush();
      },
      async takeBack() {
        const waiting = await queue.find(id);
        if (waiting?.kind === 'deletion') await queue.discard(waiting);
        end();
        await refresh();
      },
    };
  }

  async function flush(): Promise<RunEnd> {
    clearTimeout(timer);
    const end = await run();
    update({ end });
    if (end === 'retry' && !stop.signal.aborted) {
      // Another call may have set it meanwhile.
      clearTimeout(timer);
      timer = setTimeout(() => void flush(), retryMs * (1 + Math.random() / 4));
      retryMs = Math.min(retryMs * 2, lastRetryMs);
    } else retryMs = firstRetryMs;
    return end;
  }

  async function run(): Promise<RunEnd> {
    const present = session?.getSnapshot();
    if (present?.status === 'signed-in' && present.session.user.uid !== uid) return 'other-user';
    if (isOffline()) return 'retry';
    try {
      const end = await queue.run();
      // The session has ended, so the page must know it.
      if (end === 'signed-out' && present?.status === 'signed-in') await session?.refresh();
      return end;
    } catch {
      return 'retry';
    }
  }

  const again = () => {
    retryMs = firstRetryMs;
    void flush();
  };
  window.addEventListener('online', again, { signal: stop.signal });
  const ifVisible = () => document.visibilityState === 'visible' && again();
  document.addEventListener('visibilitychange', ifVisible, { signal: stop.signal });
  const ready = refresh();
  void ready.then(flush);

  return {
    device,
    ready,
    queue: {
      ...queue,
      flush,
      removeLater,
      state: () => state,
      subscribe(listener: () => void) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    close() {
      current = undefined;
      stop.abort();
      clearTimeout(timer);
      tabs.close();
      update({ waiting: [] });
    },
  };
}

/** Returns the queue of this tab, once it is open. */
export function useTabQueue(): TabQueue | undefined {
  const [queue, setQueue] = useState<TabQueue>();
  useEffect(() => void openTabQueue().then(setQueue), []);
  return queue;
}

const never = () => () => {};

/** Returns the state of the queue, and rerenders when it changes. */
export function useQueueState(queue: TabQueue | undefined): QueueState {
  return useSyncExternalStore(queue?.subscribe ?? never, queue?.state ?? (() => nothing));
}

/** Sends what waits, and keeps what pages need without network, whenever the user is signed in. */
export function startQueue(services: Pick<Services, 'session'>): void {
  void openTabQueue();
  if (session) return;
  session = services.session;
  let seen: SignedIn | undefined;
  const follow = () => {
    const present = services.session.getSnapshot();
    if (present.status !== 'signed-in' || present === seen || fromDevice.has(present)) return;
    seen = present;
    keep(present).catch(() => {
      // Without network, the device keeps what it has.
    });
  };
  session.subscribe(follow);
  follow();
}

/** What the form of an entry needs without network. */
export type KeptDiary = { consents: boolean; titles: Record<string, string> };

async function keep(present: SignedIn): Promise<void> {
  const { uid } = present.session.user;
  const chosen = chosenUid();
  const device = chosen === undefined ? undefined : await findDevice(chosen);
  if (!device) return;
  // Another user must not get the pages of the first one, also without network.
  if (device.uid !== uid) return device.db.delete('kept', 'session');
  const { session: kept, user } = present;
  await device.db.put('kept', await device.seal('session', { session: kept, user }), 'session');
  await (await openTabQueue())?.flush();
  await device.db.put('kept', await getContent(), 'content');
  await keepDiary(uid);
}

/** Keeps what the form of an entry needs without network. */
export async function keepDiary(uid: string): Promise<void> {
  const device = await findDevice(uid);
  if (!device) return;
  const diary = await client.diary(uid);
  const [{ documents }, { consents }] = await Promise.all([client.documents.getFavourites(), diary.state()]);
  const titles = Object.fromEntries(documents.map(({ id, title }) => [id, title]));
  const sealed = await device.seal('diary', { consents, titles } satisfies KeptDiary);
  await device.db.put('kept', sealed, 'diary');
}

async function findKept(name: 'session' | 'diary' | 'content'): Promise<unknown> {
  const uid = chosenUid();
  const device = uid === undefined ? undefined : await findDevice(uid);
  const kept = await device?.db.get('kept', name);
  if (!device || !kept || name === 'content') return kept;
  return device.open(name, kept as Awaited<ReturnType<Device['seal']>>);
}
const orNothing = () => undefined;

/** The sessions that the server has not confirmed. */
const fromDevice = new WeakSet<SignedIn>();

/** Finds the session of the user who has chosen this device, as it was at the last visit with network. */
export const findKeptSession = async (): Promise<SignedIn | undefined> => {
  const kept = (await findKept('session').catch(orNothing)) as Pick<SignedIn, 'session' | 'user'> | undefined;
  if (!kept) return undefined;
  const present: SignedIn = { status: 'signed-in', ...kept, userResearch: false };
  fromDevice.add(present);
  return present;
};
export const findKeptContent = async () =>
  (await findKept('content').catch(orNothing)) as SiteContent | undefined;
export const findKeptDiary = async () => (await findKept('diary').catch(orNothing)) as KeptDiary | undefined;
