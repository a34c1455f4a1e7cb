import { dayAfter } from '#contract/calendar.ts';
import type { DiaryChange, DiaryEntry } from '#contract/diary/entry.ts';

/** The entry was deleted: on another device, or in another tab. */
export class EntryDeleted extends Error {}

/** What the form of an entry contains. */
export type Draft = Pick<DiaryEntry, 'words' | 'intensity' | 'note' | 'practices' | 'toward' | 'time'>;

export const blankDraft: Draft = {
  ...{ words: [], intensity: null, note: '', practices: [], toward: null, time: null },
};

export const draftOf = ({ words, intensity, note, practices, toward, time }: Draft): Draft => ({
  ...{ words, intensity, note, practices, toward, time },
});

/** True if an entry with this content may be stored. */
export const saysSomething = ({ words, note, practices, toward }: Draft) =>
  words.length > 0 || note.trim() !== '' || practices.length > 0 || toward !== null;

/**
 * Returns what differs between two drafts, for the server to merge.
 * @param seen the content from which the user started
 * @param noteBase the revision of the entry that `seen` shows; 0 for a new entry
 * @returns undefined if nothing differs
 */
export function changedFields(
  seen: Draft,
  draft: Draft,
  noteBase: number,
): Omit<DiaryChange, 'change' | 'day' | 'zone'> | undefined {
  const words = changedSet(seen.words, draft.words);
  const practices = changedSet(seen.practices, draft.practices);
  const toward = draft.toward && { ...draft.toward, words: draft.toward.words.trim() };
  const changes = {
    ...(words && { words }),
    ...(practices && { practices }),
    ...(draft.intensity !== seen.intensity && { intensity: draft.intensity }),
    ...((toward?.axis !== seen.toward?.axis || toward?.words !== seen.toward?.words) && { toward }),
    ...(draft.time !== seen.time && { time: draft.time }),
    ...(draft.note.trim() !== seen.note && { note: { base: noteBase, text: draft.note.trim() } }),
  };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

function changedSet(before: readonly string[], after: readonly string[]) {
  const add = after.filter((item) => !before.includes(item));
  const remove = before.filter((item) => !after.includes(item));
  return add.length + remove.length > 0 ? { add, remove } : undefined;
}

/** The first and the last day of a new entry. */
export const possibleDays = (today: string) => ({ first: dayAfter(today, -365), last: dayAfter(today, 1) });
