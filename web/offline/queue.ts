import { ClientError, hasCode, isAway } from '#client/client-error.ts';
import type { DiaryClient } from '#client/diary.ts';
import type { DiaryEntry } from '#contract/diary/entry.ts';
import { blankDraft, changedFields, EntryDeleted } from '#web/components/diary/draft.ts';
import {
  type Changes,
  changeOf,
  contentOf,
  deletedElsewhere,
  deletion,
  entryOf,
  type Item,
  type Refusal,
  type Waiting,
  type WaitingEntry,
  type Written,
} from './queue-items.ts';
import type { Device, QueueRow } from './store.ts';

/** How a run has ended. After `retry`, run again later. */
export type RunEnd = 'done' | 'retry' | 'signed-out' | 'other-user';

export type QueueHooks = {
  /** Called when an item has changed, but not for each item that a run changes. */
  onChange: () => void;
  /** Called when a run begins to send an entry, and when it has ended. `ids` are the entries under way. */
  onSending: (ids: readonly string[]) => void;
};

export type Queue = ReturnType<typeof createQueue>;

/** A request that takes longer has failed. */
const requestMs = 30_000;

/** Entries are independent of each other. Browsers open six connections to a server. */
const sentAtOnce = 6;

/** While a page holds this lock, the entry is not sent. */
const entryLock = (uid: string, id: string) => `acolhe-entry-${uid}-${id}`;

/**
 * The diary's changes that wait to be sent. Each row has everything that waits for one entry, so it can be
 * sent again as a whole: the server knows changes that it has already applied (docs/decisions/046).
 */
export function createQueue(
  device: Device,
  diary: Pick<DiaryClient, 'change' | 'deleteEntry'>,
  { onChange, onSending }: QueueHooks,
) {
  const { db, uid } = device;
  let running: Promise<RunEnd> | undefined;
  let runAgain = false;
  const sending = new Set<string>();

  async function openRow(row: QueueRow): Promise<{ version: string; item: Item | 'unreadable' }> {
    const { id, version } = row;
    try {
      return { version, item: (await device.open(nameOf(id), row)) as Item };
    } catch {
      return { version, item: 'unreadable' };
    }
  }

  async function read(id: string) {
    const row = await db.get('queue', id);
    return row && openRow(row);
  }

  /**
   * Writes, replaces or removes items in one transaction, if the item still has the version that was read.
   * @returns the new version; undefined if another tab was faster, and nothing has changed
   */
  async function write(
    id: string,
    seen: string | undefined,
    next: Item | undefined,
    added?: { id: string; item: Item },
  ): Promise<string | undefined> {
    const version = crypto.randomUUID();
    const rowOf = async (one: string, item: Item) => ({
      id: one,
      version,
      ...(await device.seal(nameOf(one), item)),
    });
    // Sealing ends a transaction, so it comes first.
    const row = next && (await rowOf(id, next));
    const addedRow = added && (await rowOf(added.id, added.item));
    // `strict`: the patient reads "Guardado", so the disk must have it.
    const transaction = db.transaction('queue', 'readwrite', { durability: 'strict' });
    const { store, done } = transaction;
    const compareAndWrite = async () => {
      const present = await store.get(id);
      if (present?.version !== seen) return undefined;
      await Promise.all([
        row ? store.put(row) : present && store.delete(id),
        addedRow && store.put(addedRow),
      ]);
      return version;
    };
    const [written] = await Promise.all([compareAndWrite(), done]);
    return written;
  }

  async function replace(...input: Parameters<typeof write>): Promise<string | undefined> {
    const written = await write(...input);
    if (written) onChange();
    return written;
  }

  async function waitingOf(row: QueueRow): Promise<Waiting> {
    const { id } = row;
    const { version, item } = await openRow(row);
    if (item === 'unreadable') return { id, version, writtenAt: 0, kind: 'unreadable' };
    const { writtenAt } = item;
    if (item.isDeletion) return { id, version, writtenAt, kind: 'deletion' };
    return {
      ...{ id, version, writtenAt, kind: 'entry', item, refused: item.refused, isNew: !item.base },
      entry: entryOf(id, item),
    };
  }

  /** Tells the server about one entry. @throws the error of the request */
  async function send(id: string): Promise<void> {
    let found = await read(id);
    if (!found || found.item === 'unreadable') return;
    let { item } = found;
    if (!item.isDeletion && item.refused) return;
    sending.add(id);
    onSending([...sending]);
    if (!item.tried) {
      item = { ...item, tried: true };
      const version = await write(id, found.version, item);
      // A tab has just changed the item, and runs the queue again.
      if (!version) return;
      found = { version, item };
    }
    if (item.isDeletion) {
      await diary.deleteEntry(id, AbortSignal.timeout(requestMs));
      await write(id, found.version, undefined);
      return;
    }
    const bases = new Map<string, number>();
    for (const [index, { change, on }] of item.changes.entries()) {
      const { note } = change;
      const base = on === undefined ? note?.base : (bases.get(on) ?? note?.base);
      const body = note && base !== undefined ? { ...change, note: { ...note, base } } : change;
      let refused: Refusal | undefined;
      try {
        const answer = await diary.change(id, body, AbortSignal.timeout(requestMs));
        // If the server has the note that the patient saw, the next change replaces it.
        if (answer?.note === contentOf(item, index + 1).note) bases.set(change.change, answer.revision);
        else if (base !== undefined) bases.set(change.change, base);
        if (!answer)
          refused = {
            code: deletedElsewhere,
            message: 'Esta anotação foi apagada em outro aparelho.',
            index,
          };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        refused = { code: error.code, message: sentenceOf(error), index };
      }
      if (refused) {
        await write(id, found.version, { ...item, refused });
        return;
      }
    }
    await write(id, found.version, undefined);
  }

  /** Lists what waits, oldest first. */
  async function list(): Promise<Waiting[]> {
    const found = await Promise.all((await db.getAll('queue')).map(waitingOf));
    return found.sort((a, b) => a.writtenAt - b.writtenAt);
  }

  /**
   * Sends everything that waits, once. An item that fails does not hold up the others. The oldest is first,
   * because the diary lists the entries of a day in the order of their arrival.
   */
  async function sendAll(): Promise<RunEnd> {
    const ids = (await list()).map(({ id }) => id).values();
    let end: RunEnd = 'done';
    /** Set when the other requests would fail, too. */
    let stopped: RunEnd | undefined;
    async function sendNext(id: string) {
      try {
        await navigator.locks.request(entryLock(uid, id), { ifAvailable: true }, async (lock) => {
          if (lock) await send(id);
        });
      } catch (error) {
        end = 'retry';
        const isLate = error instanceof DOMException && error.name === 'TimeoutError';
        if (hasCode(error, 'auth/unauthenticated')) stopped ??= 'signed-out';
        else if (hasCode(error, 'auth/other-user')) stopped ??= 'other-user';
        else if (isLate || hasCode(error, 'client/offline') || hasCode(error, 'auth/too-many-attempts'))
          stopped ??= 'retry';
        else if (!isAway(error)) console.error(error);
      } finally {
        sending.delete(id);
      }
    }
    async function sendEach() {
      for (const id of ids) {
        await sendNext(id);
        if (stopped) return;
      }
    }
    // The first request shows whether the others can succeed.
    const { value: first } = ids.next();
    if (first !== undefined) await sendNext(first);
    if (!stopped) await Promise.all(Array.from({ length: sentAtOnce }, sendEach));
    return stopped ?? end;
  }

  return {
    uid,
    list,

    /** Finds what waits for an entry. */
    async find(id: string): Promise<Waiting | undefined> {
      const row = await db.get('queue', id);
      return row && waitingOf(row);
    },

    /**
     * Stores a new entry, or a change of an entry that the server has.
     * @param base the entry as the patient saw it; undefined for a new entry
     * @throws EntryDeleted; DOMException when the storage is full
     */
    async save(id: string, base: DiaryEntry | undefined, written: Written): Promise<WaitingEntry> {
      for (;;) {
        const found = await read(id);
        const item = found?.item;
        if (item === 'unreadable' || item?.isDeletion) throw new EntryDeleted();
        const fields = changedFields(base ?? blankDraft, written.draft, base?.revision ?? 0);
        if (!fields) throw new Error('Nothing has changed.');
        const change = changeOf(written, fields);
        const before: Changes = item ?? { writtenAt: Date.now(), tried: false, base, changes: [] };
        const next = { ...before, changes: [...before.changes, { change }] };
        const version = await replace(id, found?.version, next);
        if (version) return saved(id, version, next);
      }
    },

    /**
     * Corrects an entry that waits. Keep it with `hold` while the patient writes.
     * @param seen what the patient has corrected
     * @returns what waits now; undefined if nothing is left to send
     * @throws EntryDeleted; DOMException when the storage is full
     */
    async correct(seen: WaitingEntry, written: Written): Promise<WaitingEntry | undefined> {
      const { id, item } = seen;
      const { refused } = item;
      const isLost = refused?.code === deletedElsewhere;
      const isOtherDay = !item.base && written.day !== seen.entry.day;
      // The server keeps the first day of an entry, and may have stored it.
      const wasStored = item.tried && refused?.index !== 0;
      for (;;) {
        const found = await read(id);
        if (!found || found.item === 'unreadable' || found.item.isDeletion) throw new EntryDeleted();
        const present = found.item;

        if (isLost || isOtherDay) {
          const fields = changedFields(blankDraft, written.draft, 0);
          if (!fields) throw new Error('An empty entry cannot be saved.');
          const changes = [{ change: changeOf(written, fields) }];
          const anew: Changes = { writtenAt: item.writtenAt, tried: false, base: undefined, changes };
          const newId = isLost || wasStored ? crypto.randomUUID() : id;
          const old = isLost ? undefined : deletion();
          const version =
            newId === id
              ? await replace(id, found.version, anew)
              : await replace(id, found.version, old, { id: newId, item: anew });
          if (version) return saved(newId, version, anew);
          continue;
        }

        const kept = refused ? item.changes.slice(0, refused.index) : item.changes;
        const content = contentOf(item, kept.length);
        const fields = changedFields(content, written.draft, item.base?.revision ?? 0);
        const day = item.changes[0]?.change.day ?? written.day;
        const added = fields && {
          change: changeOf({ ...written, day }, fields),
          on: kept.at(-1)?.change.change,
        };
        // Another tab may have changed the item. Then both changes stay, as from two devices.
        const before = found.version === seen.version ? kept : present.changes;
        const { refused: _, ...rest } = present;
        const changes = added ? [...before, added] : before;
        const next: Changes | undefined = changes.length > 0 ? { ...rest, changes } : undefined;
        const version = await replace(id, found.version, next);
        if (version) return next && saved(id, version, next);
      }
    },

    /**
     * Keeps an entry from being sent until the returned function is called or the tab ends. Resolves when a
     * request that is under way has ended.
     */
    hold: (id: string): Promise<() => void> =>
      new Promise((resolve, reject) => {
        const held = () => new Promise<void>((release) => resolve(release));
        navigator.locks.request(entryLock(uid, id), { mode: 'shared' }, held).catch(reject);
      }),

    /** Sends a refused item again as it is. */
    async retry({ id, version, item: { refused: _, ...item } }: WaitingEntry): Promise<void> {
      await replace(id, version, item);
    },

    /** Deletes an entry that the server has. */
    async remove(id: string): Promise<void> {
      for (;;) {
        const found = await read(id);
        const item = found?.item;
        if (item !== 'unreadable' && item?.isDeletion) return;
        const before = item === 'unreadable' ? undefined : item;
        if (await replace(id, found?.version, deletion(before))) return;
      }
    },

    /**
     * Takes back what waits, also a deletion. If the server may have a new entry, it is deleted there, too.
     * @returns false if it has changed meanwhile
     */
    async discard(seen: Waiting): Promise<boolean> {
      const { id } = seen;
      const found = await read(id);
      const item = found?.item === 'unreadable' ? undefined : found?.item;
      const present = item?.isDeletion ? undefined : item;
      // A request can begin while the page asks the patient. That changes the version, but not the text.
      const isSame =
        seen.kind === 'entry' &&
        present?.changes.at(-1)?.change.change === seen.item.changes.at(-1)?.change.change;
      const wasStored = seen.kind === 'entry' && seen.isNew && (present ?? seen.item).tried;
      const next = item?.isDeletion ? item.before : wasStored ? deletion() : undefined;
      return (await replace(id, isSame ? found?.version : seen.version, next)) !== undefined;
    },

    /** Forgets everything that waits, after the whole diary was deleted. */
    async clear(): Promise<void> {
      await db.clear('queue');
      onChange();
    },

    /** Sends what waits. Only one tab sends at a time. */
    run(): Promise<RunEnd> {
      runAgain = true;
      running ??= (async () => {
        let end: RunEnd = 'done';
        while (runAgain) {
          runAgain = false;
          end = await navigator.locks.request(`acolhe-queue-${uid}`, sendAll);
          // What was written meanwhile would fail, too.
          if (end !== 'done') break;
        }
        return end;
      })().finally(() => {
        running = undefined;
        onSending([]);
      });
      return running;
    },
  };

  function saved(id: string, version: string, item: Changes): WaitingEntry {
    const { writtenAt } = item;
    return {
      ...{ id, version, writtenAt, kind: 'entry', item, refused: undefined, isNew: !item.base },
      entry: entryOf(id, item),
    };
  }
}

const nameOf = (id: string) => `queue ${id}`;

/** True if the server refuses this item and would refuse it again. */
const isRefusal = (error: unknown): error is ClientError =>
  error instanceof ClientError &&
  (error.code.startsWith('documents/') || refusals.has(error.code)) &&
  error.status >= 400 &&
  error.status < 500;
const refusals = new Set(['request/invalid', 'request/too-large', 'request/unsupported-type']);

const sentenceOf = ({ issues, message }: ClientError) => issues[0]?.message ?? message;
