import type { ColumnType } from 'kysely';
import type { DiaryRead, DiaryShare } from '#contract/diary/share.ts';
import type { DayState } from '#contract/diary/week.ts';
import type { reminderStops } from '#contract/reminder.ts';

/** Epoch milliseconds. */
type EpochMs = number;

export type DiaryTables = {
  /** One row: the fingerprint of the master key (diary/master-key.ts). */
  diaryMasterKey: { id: number; fingerprint: string };
  /** A user's diary. It stays after its deletion, so that devices learn of the deletion. */
  diaries: {
    uid: string;
    /** Grows by one with every change of an entry. */
    revision: number;
    /** Grows with every new key. */
    keyVersion: number;
    /** The key of the entries, sealed with the master key; null after the diary was deleted. */
    sealedKey: string | null;
    /** The patient has paused the diary since then. */
    pausedAt: ColumnType<EpochMs | null, EpochMs | null | undefined, EpochMs | null>;
  };
  /** What users have agreed to. A withdrawn consent stays as a proof, until the account is deleted. */
  diaryConsents: {
    id: string;
    uid: string;
    version: string;
    text: string;
    digest: string;
    givenAt: EpochMs;
    withdrawnAt: EpochMs | null;
  };
  diaryEntries: {
    uid: string;
    /** The device makes the id. */
    id: string;
    /** Unique among the user's entries. */
    revision: number;
    /** The patient's calendar day and time zone at that time; null once the entry is deleted. */
    day: string | null;
    zone: string | null;
    createdAt: EpochMs;
    deletedAt: EpochMs | null;
    /** The content, sealed with the user's key; null once the entry is deleted. */
    sealed: string | null;
  };
  /** The users whom patients can allow to read. */
  clinicians: { uid: string; name: string; crm: string; namedAt: EpochMs };
  diaryShares: {
    uid: string;
    /** The device makes the id. */
    id: string;
    /** No foreign key: the patient still sees a share whose clinician's account was deleted. */
    clinicianUid: string;
    /** The name and the CRM at the time of the grant. */
    clinicianName: string;
    crm: string;
    /** JSON (`shareScope`). */
    scope: string;
    consent: string;
    consentVersion: string;
    consentDigest: string;
    grantedAt: EpochMs;
    /** The same as in `scope`. */
    expiresAt: EpochMs;
    endedAt: EpochMs | null;
    endedBy: DiaryShare['endedBy'];
  };
  /** The access log of a diary, stored before the clinician gets the answer. */
  diaryReads: {
    id: string;
    uid: string;
    clinicianUid: string;
    clinicianName: string;
    crm: string;
    at: EpochMs;
    what: DiaryRead['what'];
    /** The share; null for a note for a consultation. */
    shareId: string | null;
    fromDay: string;
    toDay: string;
  };
  consultationNotes: {
    uid: string;
    /** The device makes the id. */
    id: string;
    clinicianUid: string;
    day: string;
    /** Grows by one with every change. */
    revision: number;
    shownAt: EpochMs | null;
    createdAt: EpochMs;
    /** The questions and answers, sealed with the user's key. */
    sealed: string;
  };
  /** The practices that clinicians propose to patients. */
  assignments: {
    /** The clinician's device makes the id. */
    id: string;
    uid: string;
    /** No foreign key: the patient keeps what a clinician proposed whose account was deleted. */
    clinicianUid: string;
    /** The name and the title at the time of the proposal. */
    clinicianName: string;
    activityId: string;
    title: string;
    fromDay: string;
    toDay: string;
    timesPerWeek: number;
    /** JSON: the Mondays of the weeks that the patient has put aside. */
    skippedWeeks: string;
    createdAt: EpochMs;
    withdrawnAt: EpochMs | null;
    /** The message, sealed with the master key; null without a message. */
    sealed: string | null;
  };
  assignmentDays: { assignmentId: string; day: string; state: DayState };
  /** The reminders by e-mail (reminders/due-reminders.ts). A user without one has never chosen a time. */
  reminders: {
    uid: string;
    /** JSON: numbers, with 0 for Sunday. */
    weekdays: string;
    hour: number;
    /** The name of an IANA time zone. */
    zone: string;
    /** Null while the reminder is off. */
    nextAt: EpochMs | null;
    /** After a failure of the mail server, nothing is sent before this time. */
    notBefore: EpochMs;
    /** When a mail was last marked as sent, which is before it leaves; 0 if none was. */
    claimedAt: EpochMs;
    /** When the mail server last accepted a reminder. */
    sentAt: EpochMs | null;
    /** Why the reminder turned itself off. */
    stoppedBy: (typeof reminderStops)[number] | null;
  };
};
