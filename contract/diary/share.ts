import * as z from 'zod/mini';
import { dayAfter, dayInBrasilia, fullDate } from '../calendar.ts';
import { crmPattern, uniformCrm } from '../crm.ts';
import { limits } from '../limits.ts';
import { isVisible, plainLine, plainText } from '../text.ts';
import { type DiaryEntry, day, entryId } from './entry.ts';

/** Returns the last millisecond of a day in Brasília. */
export const endOfDay = (of: string): number => Date.parse(`${of}T23:59:59.999-03:00`);

/**
 * The wording of the consent below. Change it together with the wording, because a share keeps the text that
 * the patient agreed to, with its version.
 */
export const consentVersion = '2026-11-27.2';

/** The days, the parts and the end of a share. Words and their intensity belong to every share. */
export const shareScope = z
  .strictObject({
    from: day,
    to: day,
    /** The only entry of the share, which is of the day `from`; without it, all entries of the days. */
    entryId: z.optional(entryId),
    notes: z.boolean(),
    /** Practices and steps. */
    practices: z.boolean(),
    /** Epoch milliseconds, at most `limits.shareMaxDays` after the grant. */
    expiresAt: z.number().check(z.int(), z.positive(), z.lte(limits.latestTimeMs)),
  })
  .check(
    z.refine(({ from, to, entryId: one }) => (one === undefined ? from <= to : from === to), {
      error: 'O último dia vem depois do primeiro.',
      path: ['to'],
    }),
  );
export type ShareScope = z.infer<typeof shareScope>;

/** A user whom patients can allow to read. The CRM is the number at the medical council. */
export const clinician = z.object({ uid: z.string(), name: z.string(), crm: z.string() });
export type Clinician = z.infer<typeof clinician>;

export const clinicianFields = z.strictObject({
  name: z.string().check(
    z.trim(),
    z.maxLength(limits.clinicianNameMaxLength),
    plainLine,
    z.refine((name) => !/\p{Bidi_Control}/u.test(name), 'Há caracteres que não podem ser usados aqui.'),
    z.refine(isVisible, 'Escreva o nome.'),
  ),
  /** One spelling, because a CRM names one account. */
  crm: z
    .string()
    .check(
      z.maxLength(20),
      z.overwrite(uniformCrm),
      z.regex(crmPattern, 'Escreva o CRM assim: CRM-SP 123456.'),
    ),
});

/** Returns the text that a patient agrees to. */
export function consentText(
  { name, crm }: Pick<Clinician, 'name' | 'crm'>,
  { from, to, entryId: one, notes, practices, expiresAt }: ShareScope,
): string {
  const days = one
    ? `de uma anotação do meu diário, de ${fullDate(from)}`
    : `do meu diário, de ${fullDate(from)} a ${fullDate(to)}`;
  // Answers of the week belong to no entry.
  const weekToo = one ? '' : ', e o que eu responder em “Sua semana” nesses dias';
  return [
    `Autorizo ${name}, ${crm}, a ler, nas consultas, as palavras e a intensidade ${days}.`,
    ...(notes ? ['Também minhas notas.'] : []),
    ...(practices ? [`Também minhas práticas e meus passos${weekToo}.`] : []),
    `Termina em ${fullDate(dayInBrasilia(expiresAt))} ou quando eu encerrar.`,
    `O que ${name} anotar no prontuário fica lá por 20 anos.`,
  ].join(' ');
}

/** A share that the patient grants. `consent` is the text that the page showed. */
export const newShare = z.strictObject({
  id: entryId,
  clinicianUid: z.string().check(z.maxLength(64)),
  scope: shareScope,
  consentVersion: z.string().check(z.maxLength(20)),
  consent: z.string().check(z.maxLength(limits.consentMaxLength)),
});
export type NewShare = z.infer<typeof newShare>;

/** Why a share ended before its time. `clinician`: name, CRM, role or second factor changed. */
export const shareEnds = ['patient', 'clinician', 'restore'] as const;

/** A share as its patient sees it. Times are epoch milliseconds. */
export const diaryShare = z.object({
  id: entryId,
  clinician,
  scope: shareScope,
  consent: z.string(),
  consentVersion: z.string(),
  /** SHA-256 of `consent`, in hexadecimal. */
  consentDigest: z.string(),
  grantedAt: z.number(),
  endedAt: z.nullable(z.number()),
  endedBy: z.nullable(z.enum(shareEnds)),
  lastReadAt: z.nullable(z.number()),
});
export type DiaryShare = z.infer<typeof diaryShare>;
export const diaryShares = z.object({ shares: z.array(diaryShare) });

/** True if the clinician can read now, unless the clinician's record has changed. */
export const isOpen = ({ endedAt, scope }: DiaryShare, now: number): boolean =>
  endedAt === null && scope.expiresAt > now;

/** One time that a clinician read, from the patient's access log. */
export const diaryRead = z.object({
  id: z.string(),
  clinician,
  at: z.number(),
  /** What the clinician read of these days: entries, the note for a consultation, or answers of the week. */
  what: z.enum(['entries', 'note', 'week']),
  from: day,
  to: day,
});
export type DiaryRead = z.infer<typeof diaryRead>;
export const diaryReads = z.object({ reads: z.array(diaryRead) });

/** An entry as a clinician reads it: parts that are not granted are missing. */
export type GrantedEntry = Pick<DiaryEntry, 'id' | 'day' | 'time' | 'words' | 'intensity'> &
  Partial<Pick<DiaryEntry, 'note' | 'joined' | 'practices' | 'toward'>>;

/**
 * Returns what a share grants of an entry: the server answers a clinician with it, and the patient's page
 * shows it before the grant.
 * @returns undefined if the share does not contain the entry
 */
export function grantedPart(entry: DiaryEntry, scope: ShareScope): GrantedEntry | undefined {
  const { id, day: onDay, time, words, intensity, note, joined, practices, toward } = entry;
  if (onDay < scope.from || onDay > scope.to) return undefined;
  if (scope.entryId !== undefined && scope.entryId !== id) return undefined;
  return {
    ...{ id, day: onDay, time, words, intensity },
    ...(scope.notes && { note, joined }),
    ...(scope.practices && { practices, toward }),
  };
}

const noteTexts = {
  /** The questions as the patient read them. */
  questions: z
    .array(z.string().check(z.trim(), z.maxLength(limits.consultationQuestionMaxLength), plainLine))
    .check(z.length(3)),
  /** The answers, in the order of the questions. */
  answers: z
    .array(z.string().check(z.trim(), z.maxLength(limits.consultationAnswerMaxLength), plainText))
    .check(z.length(3)),
};

/** The content of a note for a consultation, which is stored sealed. */
export const noteContent = z.object(noteTexts);
export type NoteContent = z.infer<typeof noteContent>;

const clinicianUid = z.string().check(z.maxLength(64));

/** `base` is the revision that the patient saw; 0 for a new note. */
const base = z.number().check(z.int(), z.gte(0));

/** A note as the patient saves it. */
export const noteChange = z.strictObject({ ...noteTexts, base, clinicianUid, day });
export type NoteChange = z.infer<typeof noteChange>;

/** The patient shows the note as it was at the revision `base`. */
export const noteShow = z.strictObject({ base });

const storedNote = {
  id: entryId,
  clinicianUid,
  day,
  /** Grows with every change, also when the note is shown or closed. */
  revision: z.number(),
  /** The clinician reads the note from this time until `lastShownDay`; null while it is closed. */
  shownAt: z.nullable(z.number()),
};

/** A note for a consultation. */
export const consultationNote = z.object({ ...storedNote, ...noteTexts });
export type ConsultationNote = z.infer<typeof consultationNote>;

/** A note whose stored content is damaged. */
const unreadableNote = z.object({ ...storedNote, unreadable: z.literal(true) });

/** What the server stores for an id. */
export const noteItem = z.union([unreadableNote, consultationNote]);
export type NoteItem = z.infer<typeof noteItem>;
export const consultationNotes = z.object({ notes: z.array(noteItem) });

/** The last day on which a clinician can read a shown note. Then it closes by itself. */
export const lastShownDay = (consultationDay: string): string => dayAfter(consultationDay, 1);
