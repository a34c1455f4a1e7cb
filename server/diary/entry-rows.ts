import * as z from 'zod/mini';
import { type DiaryEntry, type DiaryItem, diaryFields } from '#contract/diary/entry.ts';
import type { MergedEntry } from '#contract/diary/merge.ts';
import type { Tables } from '../database/connect.ts';
import { type Key, open, seal, Unopenable } from './keys/sealing.ts';
import type { Diary } from './keys/user-key.ts';

export type EntryRow = Tables['diaryEntries'];

const mergedEntry = z.extend(diaryFields, { noteRevision: z.number(), changes: z.array(z.string()) });

const aboutEntry = (uid: string, id: string, keyVersion: number) => ['diaryEntries', uid, id, keyVersion];

/** Seals the content of an entry with the user's key. */
export function sealContent(
  diary: Diary & { key: Key },
  uid: string,
  id: string,
  content: MergedEntry,
): string {
  const data = Buffer.from(JSON.stringify(content));
  return seal(diary.key, data, aboutEntry(uid, id, diary.keyVersion));
}

/** Opens the content of an entry, with what a merge needs to know. */
export function contentOf(
  { uid, id, sealed }: EntryRow,
  { key, keyVersion }: Diary,
): MergedEntry | 'unreadable' {
  if (!key || key === 'damaged' || sealed === null) return 'unreadable';
  try {
    const data = open(key, sealed, aboutEntry(uid, id, keyVersion));
    return mergedEntry.parse(JSON.parse(data.toString()));
  } catch (error) {
    if (error instanceof Unopenable) return 'unreadable';
    throw error;
  }
}

/** Returns what a device gets for a row. */
export function itemOf(row: EntryRow, diary: Diary): DiaryItem {
  const { id, day, zone } = row;
  const revision = Number(row.revision);
  if (day === null || zone === null) return { id, revision, deleted: true };
  const dated = { id, revision, day, zone, createdAt: Number(row.createdAt) };
  const content = contentOf(row, diary);
  if (content === 'unreadable') return { ...dated, unreadable: true };
  const { noteRevision: _, changes: __, ...fields } = content;
  return { ...dated, ...fields } satisfies DiaryEntry;
}
