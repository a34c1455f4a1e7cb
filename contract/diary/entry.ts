import * as z from 'zod/mini';
import { formAxes } from '../axes.ts';
import { limits } from '../limits.ts';
import { isVisible, plainLine, plainText } from '../text.ts';

/** A UUID in lower case. The device makes the ids of entries and of changes. */
export const entryId = z.string().check(z.regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/));

/** A calendar day, such as `2026-11-27`. */
export const day = z.iso.date('Escolha um dia.');

/** The name of an IANA time zone. A device can know zones that are newer than this program. */
export const zone = z
  .string()
  .check(z.maxLength(64), z.regex(/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/, 'Este fuso horário não existe.'));

/** A mood word, as the clinic named it when the patient chose it. */
const word = z
  .string()
  .check(
    z.trim(),
    z.maxLength(limits.diaryWordMaxLength),
    plainLine,
    z.refine(isVisible, 'Escolha uma palavra.'),
  );
/** The id of a practice. The practice may be hidden or deleted later. */
const practice = z.string().check(z.regex(/^[\w-]{1,64}$/));
const intensity = z.nullable(z.number().check(z.int(), z.gte(1), z.lte(5)));
/** The time that the patient names, such as `23:40`. */
const time = z.nullable(z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)));
/** A step toward a value, in the patient's own words. */
const toward = z.nullable(
  z.strictObject({
    axis: z.enum(formAxes),
    words: z.string().check(z.trim(), z.maxLength(limits.diaryStepMaxLength), plainText),
  }),
);
const note = z.string().check(z.trim(), plainText);

/** Several values of an entry. */
const several = <Item extends z.ZodMiniType<string>>(item: Item, most: number) =>
  z.array(item).check(z.maxLength(most));

/** The fields of an entry that the patient writes. */
export const diaryFields = z.object({
  words: several(word, limits.diaryMergedMaxItems),
  /** How much this takes up, from 1 to 5. */
  intensity,
  /** Longer than `limits.diaryNoteMaxLength` only after two devices changed it (`joined`). */
  note: note.check(z.maxLength(limits.diaryJoinedNoteMaxLength)),
  /** True if the note consists of the texts of two devices, until the patient edits it. */
  joined: z.boolean(),
  practices: several(practice, limits.diaryMergedMaxItems),
  toward,
  time,
});
export type DiaryFields = z.infer<typeof diaryFields>;

const changedSet = <Item extends z.ZodMiniType<string>>(item: Item, most: number) =>
  z.optional(z.strictObject({ add: several(item, most), remove: several(item, limits.diaryMergedMaxItems) }));

/**
 * A change of an entry, or a new entry: only the changed fields. Sets are changed by additions and removals.
 * The day and the zone count only for a new entry.
 */
export const diaryChange = z.strictObject({
  /** Identifies the change, so that a repeated request changes nothing. */
  change: entryId,
  day,
  zone,
  words: changedSet(word, limits.diaryWordsMaxItems),
  practices: changedSet(practice, limits.diaryPracticesMaxItems),
  intensity: z.optional(intensity),
  toward: z.optional(toward),
  time: z.optional(time),
  /** `base` is the revision of the entry that the patient saw while editing the note; 0 for a new entry. */
  note: z.optional(
    z.strictObject({
      base: z.number().check(z.int(), z.gte(0)),
      text: note.check(z.maxLength(limits.diaryNoteMaxLength)),
    }),
  ),
});
export type DiaryChange = z.infer<typeof diaryChange>;

export const diaryEntryPath = z.strictObject({ id: entryId });

const stored = { id: entryId, revision: z.number() };
const dated = { ...stored, day, zone: z.string(), createdAt: z.number() };

/** An entry of the diary. `createdAt` is the time of the server, in epoch milliseconds. */
export const diaryEntry = z.extend(diaryFields, dated);
export type DiaryEntry = z.infer<typeof diaryEntry>;

/** An entry whose stored content is damaged. */
const unreadableEntry = z.object({ ...dated, unreadable: z.literal(true) });
/** A deleted entry. A deletion wins over every change, for ever. */
const deletedEntry = z.object({ ...stored, deleted: z.literal(true) });

/** What the server stores for an id. */
export const diaryItem = z.union([deletedEntry, unreadableEntry, diaryEntry]);
export type DiaryItem = z.infer<typeof diaryItem>;

/** An entry that is not deleted. */
export type KeptItem = Exclude<DiaryItem, { deleted: true }>;

/** Whether the user's consent is valid, how many entries there are, and since when the diary is paused. */
export const diaryState = z.object({
  consents: z.boolean(),
  count: z.number(),
  lastDay: z.nullable(z.string()),
  pausedAt: z.nullable(z.number()),
});
export type DiaryState = z.infer<typeof diaryState>;
export const diaryPause = z.strictObject({ paused: z.boolean() });

/** What the mood record says about the diary. */
export type DiarySummary = {
  v: 1;
  count: number;
  lastDay: string;
  /** The words of the last 14 days. */
  recent: { day: string; words: string[] }[];
};

/** The parts of an entry that a file can contain: words with intensity, notes, practices with steps. */
export const diaryParts = ['words', 'notes', 'practices'] as const;
export type DiaryPart = (typeof diaryParts)[number];

/** Empties the parts of an entry that are not chosen. */
export const withParts = <Entry extends DiaryFields>(
  entry: Entry,
  parts: readonly DiaryPart[] = diaryParts,
): Entry => ({
  ...entry,
  ...(!parts.includes('words') && { words: [], intensity: null }),
  ...(!parts.includes('notes') && { note: '', joined: false }),
  ...(!parts.includes('practices') && { practices: [], toward: null }),
});

/** Which entries a file contains, and which parts of them. */
export const diaryFileQuery = z.strictObject({
  from: z.optional(day),
  to: z.optional(day),
  parts: z._default(
    z.pipe(
      z.string().check(z.maxLength(100)),
      z.pipe(
        z.transform((list: string) => list.split(',')),
        z.array(z.enum(diaryParts)),
      ),
    ),
    [...diaryParts],
  ),
});

const epochMs = z.number().check(z.int(), z.gte(0), z.lte(limits.latestTimeMs));

/** The diary as a file, which an import reads. */
export const diaryFile = z.object({
  format: z.literal('acolhe-diary', 'Este arquivo não é um diário deste site.'),
  version: z.literal(1),
  exportedAt: z.number(),
  entries: z
    .array(z.extend(diaryFields, { id: entryId, day, zone, createdAt: epochMs }))
    .check(z.maxLength(limits.diaryMaxEntries)),
  /** The days of entries that could not be opened. */
  unreadable: z._default(z.array(day), []),
});
export type DiaryFile = z.infer<typeof diaryFile>;

export const diaryImport = z.strictObject({
  file: diaryFile,
  /** The ids of deleted entries that come back, under new ids. */
  again: z._default(z.array(entryId).check(z.maxLength(limits.diaryMaxEntries)), []),
});
export type DiaryImport = z.input<typeof diaryImport>;

/** What an import has done. `deleted` has the entries of the file that were deleted, and stay deleted. */
export const diaryImportResult = z.object({
  added: z.number(),
  /** The entries that the diary already had. They are as before. */
  kept: z.number(),
  deleted: z.array(z.object({ id: entryId, day })),
});
export type DiaryImportResult = z.infer<typeof diaryImportResult>;

export const diaryQuery = z.strictObject({
  /** Only items that changed after this revision. */
  after: z._default(z.coerce.number().check(z.int(), z.gte(0)), 0),
  limit: z._default(
    z.coerce.number().check(z.int(), z.gte(1), z.lte(limits.diaryPageMaxItems)),
    limits.diaryPageMaxItems,
  ),
});

/** One page of the diary, in the order of revisions. `next` is the value of `after` for the next page. */
export const diaryPage = z.object({ items: z.array(diaryItem), next: z.nullable(z.number()) });
export type DiaryPage = z.infer<typeof diaryPage>;

/** The `next` of the page before: the day, the time of creation and the id of its last entry. */
const dayCursor = z.pipe(
  z.string().check(z.regex(/^\d{4}-\d\d-\d\d~\d{1,15}~[\da-f-]{36}$/)),
  z.transform((cursor: string) => {
    const [onDay = '', createdAt, id = ''] = cursor.split('~');
    return { day: onDay, createdAt: Number(createdAt), id };
  }),
);
export const diaryDaysQuery = z.strictObject({
  before: z.optional(dayCursor),
  limit: z._default(
    z.coerce.number().check(z.int(), z.gte(1), z.lte(limits.diaryPageMaxItems)),
    limits.diaryDaysPageItems,
  ),
});
export type DiaryDaysQuery = z.infer<typeof diaryDaysQuery>;

/** One page of the entries, newest day first. */
export const diaryDays = z.object({
  entries: z.array(z.union([unreadableEntry, diaryEntry])),
  next: z.nullable(z.string()),
  /** The titles of the practices that are public now, by id. */
  titles: z.record(z.string(), z.string()),
});
export type DiaryDays = z.infer<typeof diaryDays>;

export const chartWeeks = 12;
export const diaryChartQuery = z.strictObject({ today: day });

/** The number of entries with each word, in each of the weeks that begin on the Monday `from`. */
export const diaryChart = z.object({
  from: day,
  words: z.array(z.object({ word: z.string(), weeks: z.array(z.number()) })),
});
export type DiaryChart = z.infer<typeof diaryChart>;
