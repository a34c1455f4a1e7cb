import { limits } from '../limits.ts';
import { isVisible } from '../text.ts';
import type { DiaryChange, DiaryFields } from './entry.ts';

/** The content of an entry, and what a merge needs to know about earlier changes. */
export type MergedEntry = DiaryFields & {
  /** The revision at which the note last changed. */
  noteRevision: number;
  /** The ids of the last changes, oldest first. */
  changes: string[];
};

/** Stands between the texts of two devices. */
export const noteSeparator = '\n\n— escrito em outro aparelho —\n\n';

const blank: MergedEntry = {
  ...{ words: [], intensity: null, note: '', joined: false, practices: [], toward: null, time: null },
  ...{ noteRevision: 0, changes: [] },
};

/**
 * Applies a change to an entry. No clock decides anything: sets take additions and removals, single values
 * take the change that arrives last, and a note that was changed on both sides keeps both texts.
 * @param entry undefined for a new entry
 * @param revision the revision that the entry gets
 * @returns `entry` itself if it already contains the change; `full` if the merged entry would be too large
 */
export function mergeChange(
  entry: MergedEntry | undefined,
  change: DiaryChange,
  revision: number,
): MergedEntry | 'full' {
  const before = entry ?? blank;
  if (before.changes.includes(change.change)) return before;
  const { words, practices, note, intensity, toward, time } = change;
  const merged: MergedEntry = {
    ...before,
    words: changedSet(before.words, words),
    practices: changedSet(before.practices, practices),
    ...(intensity !== undefined && { intensity }),
    ...(toward !== undefined && { toward }),
    ...(time !== undefined && { time }),
    ...(note && mergeNote(before, note, revision)),
    changes: [...before.changes, change.change].slice(-limits.diaryKnownChanges),
  };
  const isFull =
    merged.note.length > limits.diaryJoinedNoteMaxLength ||
    Math.max(merged.words.length, merged.practices.length) > limits.diaryMergedMaxItems;
  return isFull ? 'full' : merged;
}

/** True if an entry says nothing. */
export const isBlank = ({ words, note, practices, toward }: DiaryFields) =>
  words.length === 0 && !isVisible(note) && practices.length === 0 && toward === null;

function changedSet(before: string[], change: { add: string[]; remove: string[] } | undefined): string[] {
  if (!change) return before;
  const removed = new Set(change.remove);
  return [...new Set([...before, ...change.add])].filter((item) => !removed.has(item));
}

function mergeNote(
  { note, noteRevision, joined }: MergedEntry,
  { base, text }: { base: number; text: string },
  revision: number,
) {
  if (text === note) return { noteRevision, joined };
  const isNewer = noteRevision > base && note !== '';
  if (!isNewer) return { note: text, joined: false, noteRevision: revision };
  if (text === '' || note.split(noteSeparator).includes(text)) return {};
  return { note: note + noteSeparator + text, joined: true, noteRevision: revision };
}
