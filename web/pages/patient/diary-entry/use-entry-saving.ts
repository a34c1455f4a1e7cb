import { useRef } from 'react';
import { ClientError } from '#client/client-error.ts';
import type { DiaryChange, DiaryEntry } from '#contract/diary/entry.ts';
import { client } from '#web/app/client.ts';
import { blankDraft, changedFields, type Draft, draftOf } from '#web/components/diary/draft.ts';

/** The entry was deleted on another device. */
export class EntryDeleted extends Error {}

/**
 * Returns a function that stores the draft of an entry. A repeated call stores nothing twice: if the response
 * to a change was lost, it first sends the same change again (docs/decisions/046).
 */
export function useEntrySaving(entry: DiaryEntry | undefined) {
  const id = useRef(entry?.id);
  const seen = useRef<Draft>(entry ? draftOf(entry) : blankDraft);
  const stored = useRef(entry);
  const noteBase = useRef(entry?.revision ?? 0);
  /** The change whose response is missing, and the draft that it contains. */
  const unanswered = useRef<{ change: DiaryChange; draft: Draft }>(undefined);

  async function send(change: DiaryChange, draft: Draft) {
    unanswered.current = { change, draft };
    id.current ??= crypto.randomUUID();
    try {
      const answer = await (await client.diary()).change(id.current, change);
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
    [seen.current, noteBase.current] = [blankDraft, 0];
  }

  return {
    /**
     * @param day the patient's calendar day; it counts only for a new entry
     * @returns the entry as it is stored
     * @throws EntryDeleted, or ClientError: nothing is lost, and the call can be repeated
     */
    async save(draft: Draft, day: string): Promise<DiaryEntry> {
      const lost = unanswered.current?.change;
      if (lost && !stored.current && lost.day !== day && id.current) {
        // The server may have stored the entry on the day that the user has left. A stored day never changes.
        await (await client.diary()).deleteEntry(id.current);
        startAnew();
      }
      if (unanswered.current) await send(unanswered.current.change, unanswered.current.draft);
      const fields = changedFields(seen.current, draft, noteBase.current);
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'America/Sao_Paulo';
      if (fields) await send({ change: crypto.randomUUID(), day, zone, ...fields }, draft);
      if (!stored.current) throw new Error('An empty draft cannot be saved.');
      return stored.current;
    },
    startAnew,
  };
}
