import { useRef } from 'react';
import { ClientError, isAway } from '#client/client-error.ts';
import type { DiaryChange, DiaryEntry } from '#contract/diary/entry.ts';
import { client } from '#web/app/client.ts';
import { openQueue } from '#web/app/load-offline.ts';
import { blankDraft, changedFields, type Draft, draftOf, EntryDeleted } from '#web/components/diary/draft.ts';
import type { WaitingEntry } from '#web/offline/queue-items.ts';
import type { TabQueue } from '#web/offline/tab.ts';
import { usePatientUid } from '../components/patient-page.tsx';

/** An entry, and whether it waits on this device. */
export type Saved = { entry: DiaryEntry; isQueued: boolean };

const noRoom =
  'Não deu para guardar neste aparelho: pode faltar espaço. O texto continua nesta página. Libere espaço, ou espere a internet, e guarde de novo.';

/**
 * Returns a function that stores the draft of an entry: on the server or, if the user has chosen this device,
 * in the queue of the device. A repeated call stores nothing twice: if the response to a change was lost, it
 * first sends the same change again (docs/decisions/046).
 * @param waiting the entry that waits on this device and is being corrected
 */
export function useEntrySaving(entry: DiaryEntry | undefined, waiting: WaitingEntry | undefined) {
  const uid = usePatientUid();
  const id = useRef(entry?.id);
  const seen = useRef<Draft>(entry ? draftOf(entry) : blankDraft);
  const stored = useRef(entry);
  const corrected = useRef(waiting);
  const noteBase = useRef(entry?.revision ?? 0);
  /** The change whose response is missing, and the draft that it contains. */
  const unanswered = useRef<{ change: DiaryChange; draft: Draft }>(undefined);

  async function send(change: DiaryChange, draft: Draft) {
    unanswered.current = { change, draft };
    id.current ??= crypto.randomUUID();
    try {
      const answer = await (await client.diary(uid)).change(id.current, change);
      unanswered.current = undefined;
      if (!answer) throw new EntryDeleted();
      stored.current = answer;
      seen.current = draft;
      if (answer.note === draft.note.trim()) noteBase.current = answer.revision;
    } catch (error) {
      // The server has refused the change, so it has not stored it.
      if (error instanceof ClientError && error.status >= 400 && error.status < 500)
        unanswered.current = undefined;
      throw error;
    }
  }

  /** After this, the next `save` stores the whole draft as a new entry. */
  function startAnew() {
    [id.current, stored.current, unanswered.current] = [undefined, undefined, undefined];
    [seen.current, noteBase.current, corrected.current] = [blankDraft, 0, undefined];
  }

  async function saveOnServer(draft: Draft, day: string): Promise<DiaryEntry> {
    const lost = unanswered.current?.change;
    if (lost && !stored.current && lost.day !== day && id.current) {
      // The server may have stored the entry on the day that the user has left. A stored day never changes.
      await (await client.diary(uid)).deleteEntry(id.current);
      startAnew();
    }
    if (unanswered.current) await send(unanswered.current.change, unanswered.current.draft);
    const fields = changedFields(seen.current, draft, noteBase.current);
    if (fields) await send({ change: crypto.randomUUID(), day, zone: presentZone(), ...fields }, draft);
    if (!stored.current) throw new Error('An empty draft cannot be saved.');
    return stored.current;
  }

  async function saveInQueue(queue: TabQueue, draft: Draft, day: string): Promise<DiaryEntry> {
    const written = { draft, day, zone: presentZone() };
    if (corrected.current)
      return (await queue.correct(corrected.current, written))?.entry ?? corrected.current.entry;
    if (stored.current && !changedFields(seen.current, draft, 0)) return stored.current;
    id.current ??= crypto.randomUUID();
    return (await queue.save(id.current, stored.current, written)).entry;
  }

  return {
    /**
     * @param day the patient's calendar day; it counts only for a new entry
     * @throws EntryDeleted, or ClientError: nothing is lost, and the call can be repeated
     */
    async save(draft: Draft, day: string): Promise<Saved> {
      const queue = await openQueue(uid ?? '');
      // A change whose response is missing has begun before the user chose this device.
      if (!queue || unanswered.current) return { entry: await saveOnServer(draft, day), isQueued: false };
      try {
        const entry = await saveInQueue(queue, draft, day);
        void queue.flush();
        return { entry, isQueued: true };
      } catch (error) {
        if (error instanceof EntryDeleted) throw error;
        // The device cannot store it, so the server must.
        if (corrected.current) throw new ClientError('client/offline', noRoom, { cause: error });
        try {
          return { entry: await saveOnServer(draft, day), isQueued: false };
        } catch (cause) {
          throw isAway(cause) ? new ClientError('client/offline', noRoom, { cause }) : cause;
        }
      }
    },
    startAnew,
  };
}

const presentZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'America/Sao_Paulo';
