import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { limits } from '../limits.ts';
import type { DiaryChange } from './entry.ts';
import { type MergedEntry, mergeChange, noteSeparator } from './merge.ts';

const base = { day: '2026-11-27', zone: 'America/Sao_Paulo' };
let ids = 0;
const change = (fields: Partial<DiaryChange>): DiaryChange => {
  ids += 1;
  return { ...base, change: `id-${ids}`, ...fields };
};
const set = (add: string[], remove: string[] = []) => ({ add, remove });

describe('the merge of changes of an entry', () => {
  it('adds and removes words, keeps the last single value, and leaves the other fields alone', () => {
    const first = merge(undefined, change({ words: set(['calma', 'sono']), intensity: 2, time: '22:10' }), 1);
    const second = merge(first, change({ words: set(['raiva'], ['sono']), intensity: 4 }), 2);
    assert.deepEqual([second.words, second.intensity, second.time], [['calma', 'raiva'], 4, '22:10']);
  });

  it('keeps both texts of a note that was changed on both sides, until one of them is edited', () => {
    const first = merge(undefined, change({ note: { base: 0, text: 'Dormi mal.' } }), 1);
    const phone = merge(first, change({ note: { base: 1, text: 'Dormi mal. Acordei às três.' } }), 2);
    const both = merge(phone, change({ note: { base: 1, text: 'Dormi mal, sonhei muito.' } }), 3);
    assert.equal(both.note, `Dormi mal. Acordei às três.${noteSeparator}Dormi mal, sonhei muito.`);
    assert.equal(both.joined, true);
    const edited = merge(both, change({ note: { base: 3, text: 'Acordei às três, sonhei muito.' } }), 4);
    assert.deepEqual([edited.note, edited.joined], ['Acordei às três, sonhei muito.', false]);
  });

  it('does not take equal texts, or the removal of a text that changed meanwhile, as a conflict', () => {
    const first = merge(undefined, change({ note: { base: 0, text: 'Oi' } }), 1);
    const phone = merge(first, change({ note: { base: 1, text: 'Olá' } }), 2);
    for (const text of ['Olá', '']) {
      const merged = merge(phone, change({ note: { base: 1, text } }), 3);
      assert.deepEqual([merged.note, merged.joined], ['Olá', false]);
    }
  });

  it('refuses what would make the note longer than its limit', () => {
    let entry: MergedEntry | undefined;
    let revision = 0;
    for (const letter of 'abcdefghijkl') {
      revision += 1;
      const text = letter.repeat(limits.diaryNoteMaxLength);
      const merged = mergeChange(entry, change({ note: { base: 0, text } }), revision);
      if (merged === 'full') return assert.equal(letter, 'j');
      entry = merged;
    }
    assert.fail('nothing was refused');
  });
});

/**
 * A device: what it knows of the entry, and the changes that the server has not answered. It sends them one
 * after another, and repeats a request whose response was lost.
 */
type Device = { seen: MergedEntry | undefined; seenRevision: number; queue: DiaryChange[] };

it('two devices and a server: no text and no word is lost, whatever is repeated, lost or reordered', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('note' as const), device: fc.nat(1) }),
    fc.record({ kind: fc.constant('word' as const), device: fc.nat(1) }),
    fc.record({
      kind: fc.constant('intensity' as const),
      device: fc.nat(1),
      value: fc.integer({ min: 1, max: 5 }),
    }),
    fc.record({ kind: fc.constant('send' as const), device: fc.nat(1), isResponseLost: fc.boolean() }),
    fc.record({ kind: fc.constant('repeat' as const), change: fc.nat() }),
    fc.record({ kind: fc.constant('read' as const), device: fc.nat(1) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const server = { entry: undefined as MergedEntry | undefined, revision: 0 };
      const devices: [Device, Device] = [newDevice(), newDevice()];
      const sent: DiaryChange[] = [];
      const words = new Set<string>();
      /** The texts that no device has replaced after seeing them. */
      const texts = new Set<string>();
      let written = 0;

      const apply = (one: DiaryChange) => {
        const merged = mergeChange(server.entry, one, server.revision + 1);
        assert.notEqual(merged, 'full');
        if (merged === 'full' || merged === server.entry) return;
        server.entry = merged;
        server.revision += 1;
      };
      const send = (device: Device, isResponseLost: boolean) => {
        const [next] = device.queue;
        if (!next) return;
        apply(next);
        sent.push(next);
        if (isResponseLost) return;
        device.queue.shift();
        receive(device);
      };
      const receive = (device: Device) => {
        const { entry, revision } = server;
        if (!entry) return;
        // A change that waits and builds on the note that this device sent now builds on the answer.
        for (const waiting of device.queue)
          if (waiting.note && entry.note === device.seen?.note) waiting.note.base = revision;
        if (device.queue.length === 0 || entry.note === device.seen?.note)
          Object.assign(device, { seen: entry, seenRevision: revision });
      };

      for (const one of steps) {
        if (one.kind === 'send') send(devices[one.device] as Device, one.isResponseLost);
        else if (one.kind === 'repeat') {
          const again = sent[one.change % Math.max(sent.length, 1)];
          if (again) apply(structuredClone(again));
        } else if (one.kind === 'read') receive(devices[one.device] as Device);
        else {
          written += 1;
          const device = devices[one.device] as Device;
          if (one.kind === 'word') {
            words.add(`palavra ${written}`);
            device.queue.push(change({ words: set([`palavra ${written}`]) }));
          } else if (one.kind === 'intensity') device.queue.push(change({ intensity: one.value }));
          else {
            const text = `texto ${written}`;
            for (const part of (device.seen?.note ?? '').split(noteSeparator)) texts.delete(part);
            texts.add(text);
            device.queue.push(change({ note: { base: device.seenRevision, text } }));
            device.seen = { ...(device.seen ?? blank), note: text };
          }
        }
      }
      for (const device of devices) while (device.queue.length > 0) send(device, false);

      const stored = server.entry;
      assert.deepEqual(new Set(stored?.words ?? []), words);
      const kept = new Set((stored?.note ?? '').split(noteSeparator));
      for (const text of texts) assert.ok(kept.has(text), `${text} is lost: ${stored?.note}`);
      const once = structuredClone(stored);
      for (const again of sent.slice(-limits.diaryKnownChanges)) apply(structuredClone(again));
      assert.deepEqual(server.entry, once);
    }),
    { numRuns: 1_000 },
  );
});

const blank: MergedEntry = {
  ...{ words: [], intensity: null, note: '', joined: false, practices: [], toward: null, time: null },
  ...{ noteRevision: 0, changes: [] },
};
const newDevice = (): Device => ({ seen: undefined, seenRevision: 0, queue: [] });

function merge(entry: MergedEntry | undefined, one: DiaryChange, revision: number): MergedEntry {
  const merged = mergeChange(entry, one, revision);
  assert.ok(merged !== 'full');
  return merged;
}
