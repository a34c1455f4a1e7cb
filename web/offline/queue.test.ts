import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { ClientError } from '#client/client-error.ts';
import type { DiaryChange, DiaryEntry } from '#contract/diary/entry.ts';
import { blankDraft, draftOf, EntryDeleted } from '#web/components/diary/draft.ts';
import { createQueue } from './queue.ts';
import { deletedElsewhere, fileOf } from './queue-items.ts';
import { canKeepKey, openDevice } from './store.ts';

const written = (note: string, day = '2026-11-27') => ({
  draft: { ...blankDraft, words: ['calma'], note },
  ...{ day, zone: 'America/Recife' },
});
const answer = (id: string, fields: Partial<DiaryEntry> = {}): DiaryEntry => ({
  ...{ ...blankDraft, joined: false, id, revision: 7, day: '2026-11-27', zone: 'America/Recife' },
  ...{ createdAt: 0, ...fields },
});

/** A queue, and what its server does with each change. */
async function open(
  change: (id: string, change: DiaryChange) => DiaryEntry | undefined = (id) => answer(id),
) {
  const device = await openDevice(randomUUID());
  const sent: DiaryChange[] = [];
  const deleted: string[] = [];
  const api = {
    async change(id: string, body: DiaryChange) {
      sent.push(body);
      return change(id, body);
    },
    async deleteEntry(id: string) {
      deleted.push(id);
    },
  };
  const tab = () => createQueue(device, api, { onChange: () => {}, onSending: () => {} });
  return { device, sent, deleted, api, tab };
}

describe('a device that keeps the diary', () => {
  it('has a key that cannot be exported, and nothing in plain text', async () => {
    assert.equal(await canKeepKey(), true);
    const { device, tab } = await open();
    const again = await openDevice(device.uid);
    await tab().save(randomUUID(), undefined, written('canário'));
    const key = await again.db.get('key', 'key');
    assert.ok(key && !key.extractable);
    await assert.rejects(crypto.subtle.exportKey('raw', key));
    const [row] = await again.db.getAll('queue');
    assert.ok(row);
    assert.deepEqual(Object.keys(row).sort(), ['data', 'id', 'iv', 'version']);
    for (const text of ['canário', 'calma', '2026-11-27'])
      assert.ok(!Buffer.from(row.data).includes(text) && !Buffer.from(row.data).includes(text, 'utf16le'));
    await assert.rejects(again.open('queue another', row));
    assert.deepEqual(
      (await indexedDB.databases()).filter(({ name }) => name?.includes('probe')),
      [],
    );
  });

  it('keeps the changes of two tabs to one entry, also while it is being sent', async () => {
    const { sent, tab } = await open((id, { note }) => answer(id, { note: note?.text ?? '' }));
    const [one, two] = [tab(), tab()];
    const entry = answer(randomUUID(), { note: 'antes', revision: 3 });
    await Promise.all([
      one.run(),
      one.save(entry.id, entry, written('um')),
      two.save(entry.id, entry, written('dois')),
      two.run(),
    ]);
    assert.deepEqual([await one.run(), await one.list()], ['done', []]);
    const texts = new Map(sent.map(({ change, note }) => [change, note]));
    assert.deepEqual(
      [...texts.values()].sort((a, b) => (a?.text ?? '').localeCompare(b?.text ?? '')),
      [
        { base: 3, text: 'dois' },
        { base: 3, text: 'um' },
      ],
    );
  });

  it('does not send an entry that the patient corrects, and sends the others', async () => {
    const { sent, tab } = await open();
    const queue = tab();
    const held = await queue.save(randomUUID(), undefined, written('um'));
    await queue.save(randomUUID(), undefined, written('dois'));
    const release = await queue.hold(held.id);
    assert.equal(await queue.run(), 'done');
    assert.deepEqual(
      sent.map(({ note }) => note?.text),
      ['dois'],
    );
    await queue.correct(held, written('corrigido'));
    release();
    await queue.run();
    assert.deepEqual(await queue.list(), []);
    assert.equal(sent.at(-1)?.note?.text, 'corrigido');
  });

  it('sends the oldest first, whatever their ids are', async () => {
    const { sent, tab } = await open();
    const notes = ['um', 'dois', 'três', 'quatro', 'cinco', 'seis'];
    for (const note of notes) {
      await tab().save(randomUUID(), undefined, written(note));
      const writtenAt = Date.now();
      while (Date.now() === writtenAt);
    }
    assert.equal(await tab().run(), 'done');
    assert.deepEqual(
      sent.map(({ note }) => note?.text),
      notes,
    );
  });

  it('reads an item twice, for its time and to send it, and does not announce each one', async () => {
    const { device, api, sent, tab } = await open();
    for (let count = 0; count < 50; count += 1) await tab().save(randomUUID(), undefined, written('nota'));
    const calls = { open: 0, onChange: 0 };
    const counting: typeof device = {
      ...device,
      open(...input) {
        calls.open += 1;
        return device.open(...input);
      },
    };
    const sending: (readonly string[])[] = [];
    const queue = createQueue(counting, api, {
      onChange() {
        calls.onChange += 1;
      },
      onSending: (ids) => sending.push(ids),
    });
    assert.equal(await queue.run(), 'done');
    assert.deepEqual([sent.length, calls], [50, { open: 100, onChange: 0 }]);
    assert.deepEqual([new Set(sending.flat()).size, sending.at(-1)], [50, []]);
    assert.deepEqual(await queue.list(), []);
  });

  it('keeps what the server refuses, with the reason, and sends the rest', async () => {
    const issues = [{ path: 'day', message: 'Escolha um dia do último ano.' }];
    const { sent, tab } = await open((id, { day, note }) => {
      if (day === '2020-01-01') throw new ClientError('request/invalid', '', { status: 400, issues });
      return note?.text === 'apagada' ? undefined : answer(id, { note: note?.text ?? '' });
    });
    const queue = tab();
    await queue.save(randomUUID(), undefined, written('antiga', '2020-01-01'));
    const gone = answer(randomUUID(), { revision: 2 });
    await queue.save(gone.id, gone, written('apagada'));
    await queue.save(randomUUID(), undefined, written('boa'));
    assert.equal(await queue.run(), 'done');
    const left = await queue.list();
    const find = (code: string) =>
      left.flatMap((one) => (one.kind === 'entry' && one.refused?.code === code ? [one] : []))[0];
    const [old, lost] = [find('request/invalid'), find(deletedElsewhere)];
    assert.ok(old && lost && left.length === 2);
    assert.equal(old.refused?.message, 'Escolha um dia do último ano.');
    const before = sent.length;
    await queue.run();
    assert.equal(sent.length, before, 'a refused item is not sent again by itself');

    await queue.correct(old, written('antiga'));
    const { draft, ...when } = written('apagada e escrita de novo');
    const anew = await queue.correct(lost, { draft: { ...draftOf(lost.entry), note: draft.note }, ...when });
    assert.notEqual(anew?.id, lost.id);
    await queue.run();
    assert.deepEqual(await queue.list(), []);
    assert.deepEqual(
      sent
        .slice(-2)
        .map(({ note }) => note?.text)
        .sort(),
      ['antiga', 'apagada e escrita de novo'],
    );
  });

  it('keeps everything when the session has ended, the server fails or another user has signed in', async () => {
    let error = new ClientError('auth/unauthenticated', '', { status: 401 });
    const { sent, tab } = await open(() => {
      throw error;
    });
    const queue = tab();
    for (const note of ['um', 'dois']) await queue.save(randomUUID(), undefined, written(note));
    assert.equal(await queue.run(), 'signed-out');
    error = new ClientError('auth/other-user', '', { status: 409 });
    assert.equal(await queue.run(), 'other-user');
    error = new ClientError('client/offline', '');
    assert.deepEqual([await queue.run(), sent.length], ['retry', 3]);
    error = new ClientError('server/unavailable', '', { status: 503 });
    assert.deepEqual([await queue.run(), sent.length], ['retry', 5]);
    assert.equal((await queue.list()).length, 2);
  });

  it('forgets a new entry that was never sent, and deletes one that may have arrived', async () => {
    const { deleted, tab } = await open(() => {
      throw new ClientError('client/offline', '');
    });
    const queue = tab();
    assert.equal(await queue.discard(await queue.save(randomUUID(), undefined, written('um'))), true);
    assert.deepEqual(await queue.list(), []);
    const saved = await queue.save(randomUUID(), undefined, written('dois'));
    const changed = await queue.save(saved.id, undefined, written('três'));
    assert.equal(await queue.discard(saved), false, 'it has changed since');
    await queue.run();
    assert.equal(await queue.discard(changed), true, 'a request began while the page asked');
    await assert.rejects(queue.save(saved.id, undefined, written('três')), EntryDeleted);
    await queue.run();
    assert.deepEqual([deleted, await queue.list()], [[saved.id], []]);
  });

  it('brings back what waited when a deletion is taken back', async () => {
    const { sent, deleted, tab } = await open();
    const queue = tab();
    const entry = answer(randomUUID(), { note: 'antes' });
    await queue.save(entry.id, entry, written('depois'));
    await queue.remove(entry.id);
    const [removed] = await queue.list();
    assert.ok(removed?.kind === 'deletion' && (await queue.discard(removed)));
    await queue.run();
    assert.deepEqual([sent.map(({ note }) => note?.text), deleted], [['depois'], []]);
  });

  it('exports what waits, and skips a damaged item', async () => {
    const { device, tab } = await open();
    const queue = tab();
    const entry = answer(randomUUID(), { note: 'antes', words: ['calma'] });
    const damaged = await queue.save(randomUUID(), undefined, written('um'));
    const fresh = await queue.save(randomUUID(), undefined, written('dois'));
    await queue.save(entry.id, entry, written('depois'));
    const row = await device.db.get('queue', damaged.id);
    assert.ok(row);
    await device.db.put('queue', { ...row, data: row.data.slice(1) });
    const list = await queue.list();
    assert.deepEqual(list.map(({ kind }) => kind).sort(), ['entry', 'entry', 'unreadable']);
    const { entries } = fileOf(list);
    assert.deepEqual(entries.map(({ note }) => note).sort(), ['depois', 'dois']);
    assert.ok(entries.some(({ id }) => id === fresh.id) && !entries.some(({ id }) => id === entry.id));
    await queue.run();
    const [left] = await queue.list();
    assert.ok(left?.kind === 'unreadable' && (await queue.discard(left)));
    assert.deepEqual(await queue.list(), []);
  });
});
