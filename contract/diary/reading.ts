import * as z from 'zod/mini';
import { proof } from '../sign-in/proof.ts';
import { day, diaryEntry, entryId } from './entry.ts';
import { clinician, clinicianFields, shareScope } from './share.ts';

/** Names a clinician, or changes the name or CRM. The proof is the password or a passkey of the caller. */
export const clinicianInput = z.extend(proof, clinicianFields.shape);
export type ClinicianInput = z.infer<typeof clinicianInput>;

export const clinicianList = z.object({ clinicians: z.array(clinician) });

/**
 * What a patient allows the signed-in clinician to read now, if anything. Patients to whom the clinician has
 * proposed something have one, too.
 */
export const sharedDiary = z.object({
  uid: z.string(),
  displayName: z.string(),
  shares: z.array(shareScope),
  /** True while the patient shows a note for a consultation. */
  showsNote: z.boolean(),
  /** True if the clinician has proposed something in the last months. */
  hasAssignments: z.boolean(),
});
export type SharedDiary = z.infer<typeof sharedDiary>;

/** The patients who allow the signed-in clinician to read now, by name. */
export const sharedDiaryList = z.object({ diaries: z.array(sharedDiary) });

export const sharedEntriesQuery = z.strictObject({ from: z.optional(day), to: z.optional(day) });

/** The granted parts of entries, newest day first. A day is never divided between two pages. */
export const sharedEntries = z.object({
  entries: z.array(
    z.extend(z.pick(diaryEntry, { id: true, day: true, time: true, words: true, intensity: true }), {
      note: z.optional(diaryEntry.shape.note),
      joined: z.optional(diaryEntry.shape.joined),
      practices: z.optional(diaryEntry.shape.practices),
      toward: z.optional(diaryEntry.shape.toward),
    }),
  ),
  /** The titles of the public practices among those of the entries, by id. */
  titles: z.record(z.string(), z.string()),
  /** The days of entries whose stored content is damaged. */
  unreadable: z.array(day),
  /** The value of `to` for the next page; null if there are no earlier entries. */
  next: z.nullable(day),
});
export type SharedEntries = z.infer<typeof sharedEntries>;

/** The notes for consultations that the patient shows now. */
export const shownNotes = z.object({
  notes: z.array(
    z.object({
      id: entryId,
      day,
      /** Null if the stored content is damaged. */
      answers: z.nullable(z.array(z.object({ question: z.string(), answer: z.string() }))),
    }),
  ),
});
export type ShownNote = z.infer<typeof shownNotes>['notes'][number];
