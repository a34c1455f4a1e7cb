import { createHash } from 'node:crypto';
import {
  type DiaryEntry,
  type DiaryFile,
  type DiaryImportResult,
  type DiaryPart,
  type diaryImport,
  type KeptItem,
  withParts,
} from '#contract/diary/entry.ts';
import type { AppContext } from '../context.ts';
import { csvLine } from '../http/csv.ts';
import { importEntries } from './entries.ts';
import { readEntries, titlesOf } from './read-entries.ts';

type FileContext = Pick<AppContext, 'database' | 'databaseKind' | 'diaryMasterKey'>;
type Selection = { from?: string | undefined; to?: string | undefined; parts?: readonly DiaryPart[] };

/** Reads a user's diary as a file that `importDiary` accepts. Parts that are not selected are empty. */
export async function exportDiary(
  context: Pick<FileContext, 'database' | 'diaryMasterKey'>,
  uid: string,
  selection: Selection = {},
): Promise<DiaryFile> {
  const items = await readSelected(context, uid, selection);
  return {
    ...{ format: 'acolhe-diary', version: 1, exportedAt: Date.now() },
    entries: items.flatMap((item) => (isReadable(item) ? withParts(item, selection.parts) : [])),
    unreadable: items.flatMap((item) => (isReadable(item) ? [] : item.day)),
  };
}

/** Reads a user's diary as a table for spreadsheets. */
export async function diaryTable(context: FileContext, uid: string, selection: Selection): Promise<string> {
  const items = await readSelected(context, uid, selection);
  const entries = items.filter(isReadable).map((item) => withParts(item, selection.parts));
  const titles = await titlesOf(context.database, [...new Set(entries.flatMap((one) => one.practices))]);
  const lines = entries.map(({ day, time, words, intensity, note, practices, toward }) => [
    ...[day, time ?? '', words.join(', '), intensity === null ? '' : String(intensity), note],
    practices.map((id) => titles.get(id) ?? id).join(', '),
    ...[toward?.axis ?? '', toward?.words ?? ''],
  ]);
  const header = ['dia', 'hora', 'palavras', 'intensidade', 'nota', 'práticas', 'eixo_do_passo', 'passo'];
  return [header, ...lines].map((cells) => csvLine(cells, ',')).join('');
}

/**
 * Adds the entries of a file to a user's diary. Entries that exist stay as they are, so a repeated import
 * changes nothing. Entries that were deleted come back only if `again` names them, under new ids.
 * @throws AppError `documents/too-many-diary-entries`; nothing has changed then
 */
export async function importDiary(
  context: FileContext,
  uid: string,
  { file, again }: ReturnType<typeof diaryImport.parse>,
): Promise<DiaryImportResult> {
  return importEntries(context, uid, file.entries, {
    again: new Set(again),
    // The new id depends only on the old one, so that a repeated request brings an entry back once.
    newIdOf: (id) => uuidOf(`${uid} ${id}`),
  });
}

/** Returns a UUID of version 8 (RFC 9562) that is a digest of a text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [
    ...[hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`],
    hex.slice(20, 32),
  ].join('-');
}

const isReadable = (item: KeptItem): item is DiaryEntry => !('unreadable' in item);

async function readSelected(
  context: Pick<FileContext, 'database' | 'diaryMasterKey'>,
  uid: string,
  { from = '', to = '9999-12-31' }: Selection,
) {
  return readEntries(context, uid, { from, to });
}
