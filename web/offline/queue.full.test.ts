import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { IDBFactory } from 'fake-indexeddb';
import fc from 'fast-check';
import { ClientError } from '#client/client-error.ts';
import type { DiaryClient } from '#client/diary.ts';
import { dateOf, dayAfter, dayMs } from '#contract/calendar.ts';
import type { DiaryChange, DiaryEntry } from '#contract/diary/entry.ts';
import { isBlank, type MergedEntry, mergeChange, noteSeparator } from '#contract/diary/merge.ts';
import { blankDraft, type Draft, draftOf, EntryDeleted } from '#web/components/diary/draft.ts';
import { createQueue, type Queue } from './queue.ts';
import type { Waiting } from './queue-items.ts';
import { type Device, openDevice } from './store.ts';

const zone = 'America/Sao_Paulo';
const today = dateOf(Date.now());

/** Thrown where a tab ends. */
class Killed extends Error {}

type Api = Pick<DiaryClient, 'change' | 'deleteEntry'>;
type Stored = { revision: number; day: string; zone: string; content: MergedEntry };

/** The server: its real merge, without a network. */
function createServer() {
  const entries = new Map<string, Stored | 'deleted'>();
  let revision = 0;
  /** Every request that the server has not refused, to repeat it. */
  const arrived: (() => void)[] = [];
  const answerOf = (id: string, { content, ...rest }: Stored): DiaryEntry => {
    const { noteRevision: _, changes: __, ...fields } = content;
    return { ...fields, ...rest, id, createdAt: 0 };
  };

  function change(id: string, body: DiaryChange): DiaryEntry | undefined {
    const before = entries.get(id);
    if (before === 'deleted') return undefined;
    if (!before && Math.abs(Date.parse(body.day) - Date.parse(today)) > dayMs)
      throw new ClientError('request/invalid', 'Escolha um dia do último ano.', { status: 400 });
    const content = mergeChange(before?.content, body, revision + 1);
    assert.notEqual(content, 'full');
    if (content === 'full' || content === before?.content) return before && answerOf(id, before);
    if (isBlank(content)) throw new ClientError('request/invalid', 'Escreva algo.', { status: 400 });
    revision += 1;
    const stored = { revision, day: before?.day ?? body.day, zone: body.zone, content };
    entries.set(id, stored);
    return answerOf(id, stored);
  }

  return {
    entries,
    arrived,
    knows(id: string, { change: known }: DiaryChange) {
      const stored = entries.get(id);
      return stored === 'deleted' || (stored?.content.changes.includes(known) ?? false);
    },
    api: {
      async change(id: string, body: DiaryChange) {
        const answer = change(id, body);
        arrived.push(() => void change(id, body));
        return answer;
      },
      async deleteEntry(id: string) {
        const remove = () => void entries.set(id, 'deleted');
        arrived.push(remove);
        remove();
      },
    },
    list: () => [...entries].flatMap(([id, stored]) => (stored === 'deleted' ? [] : [answerOf(id, stored)])),
  };
}
type Server = ReturnType<typeof createServer>;

/** What goes wrong at the n-th step of an action: at a request, a transaction or a sealing. */
type Fault = { at: number; kind: 'killed' | 'cut' | 'lost' | 'broken' | 'refused' | 'signed-out' };

/** One device, whose tab can end at any step. */
async function createTestDevice(server: Server, uid: string) {
  let fault: Fault | undefined;
  let steps = 0;
  let isDead = false;
  const device = await openDevice(uid);
  const isNow = (...kinds: Fault['kind'][]) => fault?.at === steps && kinds.includes(fault.kind);
  function step() {
    steps += 1;
    isDead ||= isNow('killed');
    if (isDead) throw new Killed();
  }
  const db = new Proxy(device.db, {
    get(target, name) {
      if (name === 'transaction') step();
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const mortal: Device = {
    ...device,
    db,
    seal(name, value) {
      step();
      return device.seal(name, value);
    },
  };
  async function request<T>(call: () => Promise<T>, isKnown: boolean): Promise<T> {
    step();
    if (isNow('cut')) throw new ClientError('client/offline', '');
    if (isNow('broken')) throw new ClientError('unexpected', '', { status: 500 });
    // The server never refuses what it has already applied.
    if (isNow('refused') && !isKnown)
      throw new ClientError('documents/too-many-diary-entries', '', { status: 409 });
    if (isNow('signed-out')) throw new ClientError('auth/unauthenticated', '', { status: 401 });
    const answer = await call();
    if (isNow('lost')) throw new ClientError('client/offline', '');
    step();
    return answer;
  }
  const api: Api = {
    change: (id, body) => request(() => server.api.change(id, body), server.knows(id, body)),
    deleteEntry: (id) => request(() => server.api.deleteEntry(id), true),
  };
  const open = () => createQueue(mortal, api, { onChange: step, onSending: () => {} });
  let queue = open();
  return {
    /** Days by which the clock is wrong. */
    skew: 0,
    /** The page of an entry that was opened earlier. */
    stale: undefined as DiaryEntry | undefined,
    /** Runs an action, and opens the next tab if this one has ended. */
    async act<T>(action: (queue: Queue) => Promise<T>, next?: Fault): Promise<T | 'killed'> {
      [fault, steps, isDead] = [next, 0, false];
      try {
        const result = await action(queue);
        return isDead ? 'killed' : result;
      } catch (error) {
        if (error instanceof Killed) return 'killed';
        throw error;
      } finally {
        if (isDead) queue = open();
        [fault, isDead] = [undefined, false];
      }
    },
  };
}

/** What the patient has been told, by text. Each text is the whole note of one write. */
type Told = { id: string; state: 'there' | 'replaced' | 'deleted' | 'unknown' };

const actions = ['write', 'edit', 'correct', 'remove', 'discard', 'send', 'send', 'repeat', 'clock'] as const;
const aStep = fc.record({
  what: fc.constantFrom(...actions),
  on: fc.nat(1),
  pick: fc.nat(5),
  flag: fc.boolean(),
  days: fc.integer({ min: -3, max: 3 }),
  fault: fc.option(
    fc.record({
      at: fc.integer({ min: 1, max: 9 }),
      kind: fc.constantFrom<Fault['kind']>(
        ...(['killed', 'killed', 'cut', 'lost', 'lost', 'broken', 'refused', 'signed-out'] as const),
      ),
    }),
    { nil: undefined, freq: 2 },
  ),
});
type Step = typeof aStep extends fc.Arbitrary<infer Value> ? Value : never;

let runs = 0;

async function run(steps: readonly Step[], deviceCount: number) {
  globalThis.indexedDB = new IDBFactory();
  runs += 1;
  const server = createServer();
  const devices = await Promise.all(
    Array.from({ length: deviceCount }, (_, index) => createTestDevice(server, `user-${runs}-${index}`)),
  );
  const notes = new Map<string, Told>();
  const words = new Map<string, Told>();
  const deleted = new Set<string>();
  let count = 0;

  /** Notes what the patient was told: this text is stored in this entry, instead of what was seen. */
  function tell(id: string, seen: Draft, draft: Draft) {
    const state = deleted.has(id) ? 'deleted' : 'there';
    if (seen.note !== draft.note)
      for (const one of seen.note.split(noteSeparator))
        if (notes.has(one)) notes.set(one, { id, state: 'replaced' });
    for (const one of draft.note.split(noteSeparator)) if (one !== '') notes.set(one, { id, state });
    for (const one of seen.words) if (!draft.words.includes(one)) words.set(one, { id, state: 'replaced' });
    for (const one of draft.words) if (words.get(one)?.id !== id) words.set(one, { id, state });
  }
  function tellDeleted(id: string, state: 'deleted' | 'unknown' = 'deleted') {
    if (state === 'deleted') deleted.add(id);
    for (const texts of [notes, words])
      for (const [text, told] of texts) if (told.id === id) texts.set(text, { id, state });
  }
  /** Another note, one more word and sometimes one less. */
  function written(seen: Draft, { flag }: Step): Draft {
    count += 1;
    const kept = flag ? seen.words.slice(1) : seen.words;
    return { ...draftOf(seen), note: `texto ${count}`, words: [...kept, `palavra ${count}`] };
  }

  for (const step of steps) {
    const { what, pick, fault } = step;
    const device = devices[step.on % devices.length] ?? assert.fail();
    const waiting = await device.act((queue) => queue.list());
    assert.ok(waiting !== 'killed');
    const entries = waiting.flatMap((one) => (one.kind === 'entry' ? [one] : []));
    const day = dayAfter(today, device.skew);
    /** Saves, and tells what is stored even if the tab has ended before it could say so. */
    async function save(seen: Draft, draft: Draft, store: (queue: Queue) => Promise<Waiting | undefined>) {
      let id: string | undefined;
      try {
        const result = await device.act(store, fault);
        const list = await device.act((queue) => queue.list());
        assert.ok(list !== 'killed');
        if (result === 'killed')
          id = list.find(
            (one) => one.kind === 'entry' && JSON.stringify(one.item).includes(`"${draft.note}"`),
          )?.id;
        else id = result?.id;
      } catch (error) {
        if (!(error instanceof EntryDeleted)) throw error;
      }
      if (id !== undefined) tell(id, seen, draft);
    }

    if (what === 'write') {
      const draft = written(blankDraft, step);
      await save(blankDraft, draft, (queue) => queue.save(randomUUID(), undefined, { draft, day, zone }));
    }
    if (what === 'edit') {
      const fresh = server.list();
      const stale = step.flag && devices.length > 1 ? device.stale : undefined;
      const chosen = stale ?? fresh[pick % fresh.length];
      device.stale = fresh[(pick + 1) % fresh.length];
      // A page opens what waits instead of what the server has.
      if (chosen && (stale || !waiting.some(({ id }) => id === chosen.id))) {
        const draft = written(chosen, step);
        await save(chosen, draft, (queue) => queue.save(chosen.id, chosen, { draft, day, zone }));
      }
    }
    const chosen = entries[pick % entries.length];
    if (what === 'correct' && chosen) {
      const draft = written(chosen.entry, step);
      const onDay = step.flag
        ? dayAfter(chosen.entry.day, chosen.entry.day > today ? -1 : 1)
        : chosen.entry.day;
      await save(chosen.entry, draft, (queue) => queue.correct(chosen, { draft, day: onDay, zone }));
    }
    if (what === 'remove') {
      const { id } = server.list()[pick] ?? {};
      if (id !== undefined) {
        await device.act((queue) => queue.remove(id), fault);
        const list = await device.act((queue) => queue.list());
        if (list !== 'killed' && list.some((one) => one.id === id && one.kind === 'deletion'))
          tellDeleted(id);
      }
    }
    if (what === 'discard' && chosen) {
      await device.act((queue) => queue.discard(chosen), fault);
      const list = await device.act((queue) => queue.list());
      if (list !== 'killed' && !list.some((one) => one.id === chosen.id && one.kind === 'entry'))
        tellDeleted(chosen.id, chosen.isNew ? 'deleted' : 'unknown');
    }
    if (what === 'send') await device.act((queue) => queue.run(), fault);
    if (what === 'repeat')
      for (let round = 0; round < 10; round += 1) for (const again of server.arrived.slice()) again();
    if (what === 'clock') device.skew = step.days;
  }

  // The network is back, the clocks are right, and the patient corrects what was refused.
  for (let round = 0; ; round += 1) {
    assert.ok(round < 10, 'the queues become empty');
    let left = 0;
    for (const device of devices) {
      assert.equal(await device.act((queue) => queue.run()), 'done');
      const list = await device.act((queue) => queue.list());
      assert.ok(list !== 'killed');
      left += list.length;
      for (const one of list) {
        assert.ok(one.kind === 'entry' && one.refused, 'only refused items are left');
        const draft = draftOf(one.entry);
        const saved = await device.act((queue) => queue.correct(one, { draft, day: today, zone }));
        assert.ok(saved !== 'killed');
        if (saved) tell(saved.id, one.entry, draft);
      }
    }
    if (left === 0) break;
  }

  const found = server.list();
  for (const { note, joined } of found) if (deviceCount === 1) assert.ok(!joined, note);
  for (const [text, { id, state }] of notes) {
    const places = found.flatMap((one) => one.note.split(noteSeparator).map((part) => [one.id, part]));
    const times = places.filter(([, part]) => part === text);
    if (state === 'there') assert.deepEqual(times, [[id, text]]);
    else if (state === 'deleted') assert.deepEqual(times, [], text);
    else assert.ok(times.length <= 1);
    if (state === 'replaced' && deviceCount === 1) assert.deepEqual(times, [], text);
  }
  for (const [word, { id, state }] of words) {
    const times = found.flatMap((one) => one.words.flatMap((own) => (own === word ? [one.id] : [])));
    if (state === 'there') assert.deepEqual(times, [id], word);
    else if (state !== 'unknown') assert.deepEqual(times, [], word);
  }
  for (const id of deleted) assert.ok(!found.some((one) => one.id === id), 'a deletion wins');
  const told = [...notes.values()].filter(({ state }) => state === 'there').map(({ id }) => id);
  const unsure = [...notes.values()].filter(({ state }) => state === 'unknown').map(({ id }) => id);
  for (const { id } of found)
    assert.ok(told.includes(id) || unsure.includes(id), 'no entry that was not written');
}

describe('the queue', () => {
  for (const devices of [1, 2])
    it(`sends what was written exactly once, from ${devices} devices`, async (t) => {
      t.mock.method(console, 'error', () => {});
      await fc.assert(
        fc.asyncProperty(fc.array(aStep, { maxLength: 20, size: 'max' }), (steps) => run(steps, devices)),
        { numRuns: 1_000 },
      );
    });
});
