import type { ActivitySummary } from '#contract/activity.ts';
import type { Favourite, Favourites } from '#contract/practices/favourites.ts';
import { client } from '#web/app/client.ts';
import type { Services } from '#web/app/services.ts';

type FavouritesStore = ReturnType<typeof createStore>;

/** `favourite` is the added practice; it is absent for a removal. */
type Change = { id: string; favourite?: Favourite };

let opened: { uid: string; store: FavouritesStore } | undefined;

/** Returns the store of this user's favourites. All pages share it until the session ends in this tab. */
export function favouritesOf({ session }: Services, uid: string): FavouritesStore {
  if (opened?.uid === uid) return opened.store;
  opened?.store.close();
  const store = createStore(uid);
  opened = { uid, store };
  const unsubscribe = session.subscribe(() => {
    const present = session.getSnapshot();
    const same = present.status === 'signed-in' && present.session.user.uid === uid;
    if (present.status === 'loading' || same) return;
    unsubscribe();
    store.close();
    if (opened?.store === store) opened = undefined;
  });
  return store;
}

function createStore(uid: string) {
  /** The favourites that the server has confirmed. */
  let saved: Favourites | undefined;
  /** `saved` with the changes that the server has not confirmed yet. */
  let shown: Favourites | undefined;
  /** The last unconfirmed change of each practice. */
  const changes = new Map<string, Change>();
  const listeners = new Set<() => void>();
  let last: Promise<unknown> = Promise.resolve();
  let loading: Promise<void> | undefined;
  let isClosed = false;
  // Tells other tabs that the favourites have changed, without naming the practice. Without BroadcastChannel,
  // other tabs show a change only after a reload.
  let tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('acolhe:favourites');
  tabs?.addEventListener('message', ({ data }) => {
    if (data === uid && saved) load().catch(() => {});
  });

  function publish() {
    shown = saved && [...changes.values()].reduce(applied, saved);
    for (const listener of listeners) listener();
  }

  /**
   * Runs one request at a time, so that the last change wins and no older response overwrites its result.
   * After `close`, no request begins, because it would change the favourites of the next user.
   */
  function inTurn<T>(request: () => Promise<T>): Promise<T> {
    const run = () => {
      if (isClosed) throw new Error('The session of these favourites has ended.');
      return request();
    };
    const done = last.then(run, run);
    last = done;
    return done;
  }

  function load(): Promise<void> {
    return inTurn(async () => {
      saved = await client.documents.getFavourites();
      publish();
    });
  }

  async function change(next: Change, request: () => Promise<void>) {
    changes.set(next.id, next);
    publish();
    try {
      await inTurn(async () => {
        await request();
        saved = saved && applied(saved, next);
      });
      tabs?.postMessage(uid);
    } finally {
      if (changes.get(next.id) === next) changes.delete(next.id);
      publish();
    }
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /** Undefined until the first response. */
    getSnapshot: () => shown,

    /** Reads the favourites from the server. */
    load,

    /** Reads the favourites from the server, unless they are already loaded. */
    async loadOnce(): Promise<void> {
      if (saved) return;
      loading ??= load().finally(() => {
        loading = undefined;
      });
      return loading;
    },

    /**
     * Adds a practice. The snapshot contains the practice immediately, and loses it if the request fails.
     * @param keptAt see `client.documents.keepFavourite`
     */
    keep(practice: ActivitySummary, keptAt?: number): Promise<void> {
      const favourite = { ...practice, keptAt: keptAt ?? Date.now() };
      return change({ id: practice.id, favourite }, () =>
        client.documents.keepFavourite(practice.id, keptAt),
      );
    },

    /** Removes a practice. If the request fails, the snapshot contains the practice again. */
    remove: (id: string): Promise<void> => change({ id }, () => client.documents.removeFavourite(id)),

    close() {
      isClosed = true;
      tabs?.close();
      tabs = undefined;
    },
  };
}

function applied({ documents, missing }: Favourites, { id, favourite }: Change): Favourites {
  const others = documents.filter((one) => one.id !== id);
  return {
    documents: favourite ? [...others, favourite].sort((one, other) => other.keptAt - one.keptAt) : others,
    missing: missing.filter((one) => one !== id),
  };
}
