import {
  type DayState,
  type NewAssignment,
  type PatientAssignments,
  patientAssignments,
  type WeekAssignment,
  week,
} from '#contract/diary/week.ts';
import { paths } from '#contract/paths.ts';
import { readJson, type Send } from './http.ts';

export type WeekClient = ReturnType<typeof createWeekClient>;

/** Creates the client of the practices that clinicians propose, for patients and for clinicians. */
export function createWeekClient(send: Send) {
  return {
    /** Lists what clinicians have proposed to the signed-in user, the newest first. */
    async list(signal?: AbortSignal): Promise<WeekAssignment[]> {
      return week.parse(await readJson(send(paths.documents.week, { signal }))).assignments;
    },

    /**
     * Stores what the user says about a day; `null` takes it back.
     * @throws ClientError `documents/not-found` after the assignment was withdrawn; `request/invalid`
     */
    async answer(id: string, day: string, state: DayState | null): Promise<void> {
      await send(paths.documents.weekDay(id, day), { method: 'PUT', body: { state } });
    },

    /** Puts a week aside, or takes it back. @throws ClientError like `answer` */
    async skip(id: string, monday: string, skipped: boolean): Promise<void> {
      await send(paths.documents.weekSkip(id, monday), { method: 'PUT', body: { skipped } });
    },

    /**
     * Reads what the signed-in clinician has proposed to a patient. If the patient shares practices, the
     * patient sees this in the access log.
     * @throws ClientError `documents/not-found` for other users; `auth/strong-session-required`
     */
    async ofPatient(uid: string, signal?: AbortSignal): Promise<PatientAssignments> {
      return patientAssignments.parse(await readJson(send(paths.documents.assignments(uid), { signal })));
    },

    /**
     * Proposes a practice to a user. To repeat a request, send the same assignment again.
     * @throws ClientError like `ofPatient`; `request/invalid`, `documents/too-many-assignments`
     */
    async propose(uid: string, body: NewAssignment): Promise<void> {
      await send(paths.documents.assignments(uid), { method: 'POST', body });
    },

    /** Withdraws an assignment of the signed-in clinician. */
    async withdraw(uid: string, id: string): Promise<void> {
      await send(paths.documents.withdrawAssignment(uid, id), { method: 'POST' });
    },
  };
}
