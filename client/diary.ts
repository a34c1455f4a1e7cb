import { currentDiaryConsent, type DiaryConsent, type NewDiaryConsent } from '#contract/diary/consent.ts';
import {
  type DiaryChange,
  type DiaryChart,
  type DiaryDays,
  type DiaryEntry,
  type DiaryFile,
  type DiaryImport,
  type DiaryImportResult,
  type DiaryPage,
  type DiaryPart,
  type DiaryState,
  diaryChart,
  diaryDays,
  diaryEntry,
  diaryFile,
  diaryImportResult,
  diaryPage,
  diaryState,
} from '#contract/diary/entry.ts';
import { paths } from '#contract/paths.ts';
import { unexpectedMessage } from '#contract/unexpected-message.ts';
import { ClientError } from './client-error.ts';
import { readJson, type Send } from './http.ts';

export type DiaryClient = ReturnType<typeof createDiaryClient>;

/** Creates the client of the signed-in user's own diary. */
export function createDiaryClient(send: Send) {
  return {
    /** Says how many entries there are, and whether the diary is paused. */
    async state(signal?: AbortSignal): Promise<DiaryState> {
      return diaryState.parse(await readJson(send(paths.documents.diary, { signal })));
    },

    /** Pauses the diary, or ends the pause. */
    async pause(paused: boolean): Promise<void> {
      await send(paths.documents.diaryPause, { method: 'PUT', body: { paused } });
    },

    /**
     * Reads one page of the entries, newest day first.
     * @param before the `next` of the page before
     * @param limit the number of entries, at most `limits.diaryPageMaxItems`
     */
    async days(
      { before, limit }: { before?: string | null; limit?: number } = {},
      signal?: AbortSignal,
    ): Promise<DiaryDays> {
      const query = new URLSearchParams({ ...(before && { before }), ...(limit && { limit: `${limit}` }) });
      return diaryDays.parse(await readJson(send(`${paths.documents.diaryDays}?${query}`, { signal })));
    },

    /** Counts the words of the last twelve weeks. @param today the user's calendar day */
    async chart(today: string, signal?: AbortSignal): Promise<DiaryChart> {
      return diaryChart.parse(
        await readJson(send(`${paths.documents.diaryChart}?today=${today}`, { signal })),
      );
    },

    /** Reads an entry. @throws ClientError `documents/not-found`; `documents/diary-entry-unreadable` */
    async entry(id: string, signal?: AbortSignal): Promise<DiaryEntry> {
      return diaryEntry.parse(await readJson(send(paths.documents.diaryEntry(id), { signal })));
    },

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
     * @throws ClientError `request/invalid`, `documents/diary-consent-missing`,
     * `documents/too-many-diary-entries`, `documents/diary-entry-full`, `documents/diary-entry-unreadable`
     */
    async change(id: string, change: DiaryChange, signal?: AbortSignal): Promise<DiaryEntry | undefined> {
      const sent = { method: 'PUT', body: change, keepalive: true, signal } as const;
      const answer = await readJson(send(paths.documents.diaryEntry(id), sent));
      const isDeleted = typeof answer === 'object' && answer !== null && 'deleted' in answer;
      return isDeleted ? undefined : diaryEntry.parse(answer);
    },

    /** Deletes an entry for ever, whether or not it exists. */
    async deleteEntry(id: string, signal?: AbortSignal): Promise<void> {
      const sent = { method: 'DELETE', keepalive: true, signal } as const;
      const { status } = await send(paths.documents.diaryEntry(id), sent);
      // A network that asks for a sign-in of its own responds to everything.
      if (status !== 204) throw new ClientError('client/unreadable', unexpectedMessage, { status: 502 });
    },

    /** Deletes the whole diary for ever, and withdraws the consent. */
    async deleteAll(): Promise<void> {
      await send(paths.documents.diary, { method: 'DELETE' });
    },

    /** Reads the user's consent. @returns null before the first consent, and after a withdrawal */
    async getConsent(signal?: AbortSignal): Promise<DiaryConsent | null> {
      const answer = await readJson(send(paths.documents.diaryConsent, { signal }));
      return currentDiaryConsent.parse(answer).consent;
    },

    /** Sends what the user has agreed to. Without a valid consent, the server stores no entry. */
    async giveConsent(body: NewDiaryConsent): Promise<DiaryConsent | null> {
      const answer = await readJson(send(paths.documents.diaryConsent, { method: 'POST', body }));
      return currentDiaryConsent.parse(answer).consent;
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
