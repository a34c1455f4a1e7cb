import {
  type ClinicianInput,
  clinicianList,
  type SharedDiary,
  type SharedEntries,
  type ShownNote,
  sharedDiary,
  sharedDiaryList,
  sharedEntries,
  shownNotes,
} from '#contract/diary/reading.ts';
import type { Clinician } from '#contract/diary/share.ts';
import { paths } from '#contract/paths.ts';
import { readJson, type Send } from './http.ts';

/** The users whom patients can allow to read their diaries, and what they may read. */
export function createCliniciansClient(send: Send) {
  return {
    /** Lists the users whom patients can allow to read, by name. */
    async list(signal?: AbortSignal): Promise<Clinician[]> {
      const answer = await readJson(send(paths.documents.clinicians, { signal }));
      return clinicianList.parse(answer).clinicians;
    },

    /**
     * Names a clinician, or changes the name or CRM. Admin only.
     * @throws ClientError `auth/strong-session-required`, `documents/clinician-not-ready`,
     * `documents/crm-taken`, and those of a proof
     */
    async name(uid: string, input: ClinicianInput): Promise<void> {
      await send(paths.documents.clinician(uid), { method: 'PUT', body: input });
    },

    /** Ends a clinician's role, and what patients share with the clinician. Admin only. */
    async remove(uid: string): Promise<void> {
      await send(paths.documents.clinician(uid), { method: 'DELETE' });
    },

    /**
     * Lists the patients who allow the signed-in clinician to read now.
     * @throws ClientError `documents/not-found` for other users; `auth/strong-session-required`
     */
    async sharedDiaries(signal?: AbortSignal): Promise<SharedDiary[]> {
      const answer = await readJson(send(paths.documents.sharedDiaries, { signal }));
      return sharedDiaryList.parse(answer).diaries;
    },

    /** @throws ClientError like `sharedDiaries`; `documents/not-found` if the patient allows nothing */
    async sharedDiary(uid: string, signal?: AbortSignal): Promise<SharedDiary> {
      return sharedDiary.parse(await readJson(send(paths.documents.sharedDiary(uid), { signal })));
    },

    /**
     * Reads one page of what a patient shares, newest day first. The patient sees this in the access log.
     * @throws ClientError like `sharedDiary`
     */
    async sharedEntries(
      uid: string,
      days: { from?: string; to?: string } = {},
      signal?: AbortSignal,
    ): Promise<SharedEntries> {
      const path = `${paths.documents.sharedEntries(uid)}?${new URLSearchParams(days)}`;
      return sharedEntries.parse(await readJson(send(path, { signal })));
    },

    /** Reads the notes for consultations that a patient shows now. The patient sees it in the access log. */
    async sharedNotes(uid: string, signal?: AbortSignal): Promise<ShownNote[]> {
      return shownNotes.parse(await readJson(send(paths.documents.sharedNote(uid), { signal }))).notes;
    },
  };
}
