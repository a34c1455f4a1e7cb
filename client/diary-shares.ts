import {
  type ConsultationNote,
  consultationNote,
  consultationNotes,
  type DiaryRead,
  type DiaryShare,
  diaryReads,
  diaryShare,
  diaryShares,
  type NewShare,
  type NoteChange,
  type NoteItem,
  noteItem,
} from '#contract/diary/share.ts';
import { paths } from '#contract/paths.ts';
import { ClientError, hasCode } from './client-error.ts';
import { readJson, type Send } from './http.ts';

export type DiarySharesClient = ReturnType<typeof createDiarySharesClient>;

/** The result of saving or showing a note. `conflict` is the stored note, if another device was faster. */
export type NoteResult =
  | { note: ConsultationNote }
  | { conflict: ConsultationNote }
  /** The note was deleted. */
  | { deleted: true };

/** Creates the client of what the signed-in user shows of the diary to clinicians. */
export function createDiarySharesClient(send: Send) {
  return {
    /** Lists the user's shares, newest first, also those that have ended. */
    async list(signal?: AbortSignal): Promise<DiaryShare[]> {
      return diaryShares.parse(await readJson(send(paths.documents.diaryShares, { signal }))).shares;
    },

    /**
     * Grants a share. To repeat a request, send the same share again.
     * @throws ClientError `request/invalid`, `documents/clinician-unavailable`, `documents/consent-changed`,
     * `documents/too-many-shares`
     */
    async grant(body: NewShare): Promise<DiaryShare> {
      return diaryShare.parse(await readJson(send(paths.documents.diaryShares, { method: 'POST', body })));
    },

    /** Ends a share. */
    async revoke(id: string): Promise<void> {
      await send(paths.documents.revokeShare(id), { method: 'POST' });
    },

    /** Reads the access log: who has read what, newest first. */
    async listReads(signal?: AbortSignal): Promise<DiaryRead[]> {
      return diaryReads.parse(await readJson(send(paths.documents.diaryReads, { signal }))).reads;
    },

    /** Lists the user's notes, the latest consultation first. */
    async listNotes(signal?: AbortSignal): Promise<NoteItem[]> {
      return consultationNotes.parse(await readJson(send(paths.documents.consultationNotes, { signal })))
        .notes;
    },

    /**
     * Stores a note, or a change of a note. To repeat a request, send the same change again.
     * @throws ClientError `request/invalid`, `documents/clinician-unavailable`, `documents/too-many-notes`,
     * `documents/diary-entry-unreadable`
     */
    async saveNote(id: string, body: NoteChange): Promise<NoteResult> {
      return resultOf(send(paths.documents.consultationNote(id), { method: 'PUT', body }));
    },

    /**
     * Shows a note to its clinician.
     * @throws ClientError `request/invalid`, `documents/clinician-unavailable`,
     * `documents/diary-entry-unreadable`
     */
    async showNote({ id, revision }: ConsultationNote): Promise<NoteResult> {
      return resultOf(send(paths.documents.showNote(id), { method: 'POST', body: { base: revision } }));
    },

    /** Closes a note: its clinician cannot read it any more. @returns undefined if the note was deleted */
    async closeNote(id: string): Promise<NoteItem | undefined> {
      try {
        return noteItem.parse(await readJson(send(paths.documents.closeNote(id), { method: 'POST' })));
      } catch (error) {
        if (hasCode(error, 'documents/not-found')) return undefined;
        throw error;
      }
    },

    /** Deletes a note for ever. */
    async deleteNote(id: string): Promise<void> {
      await send(paths.documents.consultationNote(id), { method: 'DELETE' });
    },
  };
}

async function resultOf(response: ReturnType<Send>): Promise<NoteResult> {
  try {
    return { note: consultationNote.parse(await readJson(response)) };
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    if (error.code === 'documents/not-found') return { deleted: true };
    if (error.code === 'documents/note-changed') return { conflict: consultationNote.parse(error.current) };
    throw error;
  }
}
