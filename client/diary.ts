import {
  type DiaryChange,
  type DiaryEntry,
  type DiaryFile,
  type DiaryImport,
  type DiaryImportResult,
  type DiaryPage,
  type DiaryPart,
  diaryEntry,
  diaryFile,
  diaryImportResult,
  diaryPage,
} from '#contract/diary/entry.ts';
import { paths } from '#contract/paths.ts';
import { readJson, type Send } from './http.ts';

export type DiaryClient = ReturnType<typeof createDiaryClient>;

/** Creates the client of the signed-in user's own diary. */
export function createDiaryClient(send: Send) {
  return {
    /**
     * Reads one page of the entries and deletions, in the order of revisions.
     * @param after the `next` of the page before, or the last revision that the device knows
     */
    async list(after = 0, signal?: AbortSignal): Promise<DiaryPage> {
      return diaryPage.parse(
        await readJson(send(`${paths.documents.diaryEntries}?after=${after}`, { signal })),
      );
    },

    /**
     * Creates or changes an entry. To repeat a request, send the same change again.
     * @returns the merged entry; `undefined` if the entry was deleted
     * @throws ClientError `request/invalid`, `documents/too-many-diary-entries`,
     * `documents/diary-entry-full`, `documents/diary-entry-unreadable`
     */
    async change(id: string, change: DiaryChange): Promise<DiaryEntry | undefined> {
      const answer = await readJson(
        send(paths.documents.diaryEntry(id), { method: 'PUT', body: change, keepalive: true }),
      );
      const isDeleted = typeof answer === 'object' && answer !== null && 'deleted' in answer;
      return isDeleted ? undefined : diaryEntry.parse(answer);
    },

    /** Deletes an entry for ever, whether or not it exists. */
    async deleteEntry(id: string): Promise<void> {
      await send(paths.documents.diaryEntry(id), { method: 'DELETE' });
    },

    /** Deletes the whole diary for ever. */
    async deleteAll(): Promise<void> {
      await send(paths.documents.diary, { method: 'DELETE' });
    },

    /** Reads the entries of some days as a file that `importFile` accepts. */
    async exportFile(
      selection: { from?: string; to?: string; parts?: readonly DiaryPart[] } = {},
    ): Promise<DiaryFile> {
      const { parts, ...days } = selection;
      const query = new URLSearchParams({ ...days, ...(parts && { parts: parts.join(',') }) });
      return diaryFile.parse(await readJson(send(`${paths.documents.diaryJson}?${query}`)));
    },

    /** Adds the entries of a file. Entries that exist, or were deleted, stay as they are. */
    async importFile(body: DiaryImport): Promise<DiaryImportResult> {
      return diaryImportResult.parse(
        await readJson(send(paths.documents.diaryImport, { method: 'POST', body })),
      );
    },
  };
}
