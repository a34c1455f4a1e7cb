/** Input limits that both browser and server apply. The names contain the units. */
export const limits = {
  /** The client sends files up to this size in one multipart request, larger ones in resumable uploads. */
  resumableThresholdBytes: 262_144,
  /** The default maximum file sizes; the server can be configured with others. */
  imageMaxBytes: 20_000_000,
  audioMaxBytes: 500_000_000,
  profilePictureMaxBytes: 5_000_000,
  /** The maximum for profile pictures; the browser shrinks larger ones before it sends them. */
  profilePictureMaxPixels: 4_000_000,
  passwordMinLength: 8,
  passwordMaxLength: 128,
  /** For this time after a sign-in, a user without a password needs no other proof (contract/proof.ts). */
  freshSignInMs: 10 * 60_000,
  titleMaxLength: 200,
  urlMaxLength: 2_048,
  contentMaxLength: 50_000,
  nameMaxLength: 120,
  emailMaxLength: 254,
  searchMaxLength: 100,
  /** The latest time that JavaScript's Date can hold, in epoch milliseconds. */
  latestTimeMs: 8_640_000_000_000_000,
  /** The end of the year 9999. SQLite compares times as texts, and those of later years begin with "+". */
  latestTextTimeMs: 253_402_300_799_999,
  categoryMaxLength: 60,
  /** A search counts at most this many users. If it finds more, the page says "more than". */
  countedUsers: 1_000,
  pageMaxItems: 100,
  pageDefaultItems: 50,
  practiceMaxMinutes: 600,
  listMaxItems: 10_000,
  needsMaxItems: 12,
  activityNeedsMaxLength: 600,
  /** The API returns at most this many deleted activities of a list. */
  listedDeletions: 200,
  favouritesMaxItems: 500,
  issueSubjectMaxLength: 150,
  /** The mail has the text twice, and may have at most 100 kB. */
  issueTextMaxLength: 15_000,
  /** The page of an issue names at most this many addresses that did not get it. */
  namedRecipients: 200,
  /** After an issue was sent, the addresses that did not get it stay for this many days. */
  deliveriesMaxDays: 90,
  diaryWordsMaxItems: 8,
  diaryWordMaxLength: 40,
  /** Of the words that a clinic offers. */
  moodWordsMinItems: 4,
  moodWordsMaxItems: 24,
  crisisPhrasesMaxItems: 60,
  diaryPracticesMaxItems: 5,
  diaryNoteMaxLength: 2_000,
  diaryStepMaxLength: 200,
  /** Of a note that consists of the texts of two devices. */
  diaryJoinedNoteMaxLength: 20_000,
  /** Of each set of an entry, after the changes of several devices were merged. */
  diaryMergedMaxItems: 40,
  /** An entry knows the ids of this many changes, so that repeating one of them changes nothing. */
  diaryKnownChanges: 50,
  diaryEntriesADay: 30,
  diaryMaxEntries: 20_000,
  /** Of all entries of a user, as they are stored. */
  diaryMaxBytes: 40_000_000,
  diaryPageMaxItems: 200,
  diaryDaysPageItems: 30,
  clinicianNameMaxLength: 100,
  shareMaxDays: 90,
  /** Shares of one patient that have not ended, and all shares of one patient. */
  sharesMaxOpen: 20,
  sharesMaxItems: 1_000,
  consentMaxLength: 2_000,
  /** The access log of a diary shows the newest reads. */
  diaryReadsMaxItems: 200,
  consultationQuestionMaxLength: 200,
  consultationAnswerMaxLength: 2_000,
  consultationNotesMaxItems: 500,
  /** Assignments of one patient whose last day is not past. */
  assignmentsMaxOpen: 3,
  assignmentMaxDays: 28,
  assignmentMessageMaxLength: 500,
  siteTextMaxLength: 3_000,
  siteShortTextMaxLength: 60,
  siteNameMaxLength: 80,
  siteLineMaxLength: 200,
  siteAltMaxLength: 300,
  siteFactsMaxItems: 5,
  siteListMaxItems: 50,
  /** One step for each petal of the flower that the page draws beside the steps. */
  siteStepsMaxItems: 6,
  siteResourcesMaxItems: 6,
  /** The privacy page promises that backups are kept for at most this many days. */
  backupMaxDays: 90,
  /**
   * Before an update, the server copies the SQLite database. It deletes the copy after this many days, as the
   * privacy page promises.
   */
  databaseCopyMaxDays: 30,
} as const;
