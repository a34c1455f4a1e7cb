import * as z from 'zod/mini';
import { limits } from '../limits.ts';
import { isVisible, plainLine } from '../text.ts';
import { type DiaryEntry, day, entryId } from './entry.ts';

/**
 * The wording of the consent below. Change it together with the wording, because a share keeps the text that
 * the patient agreed to, with its version.
 */
export const consentVersion = '2026-11-27';

/** The days, the parts and the end of a share. Words and their intensity belong to every share. */
export const shareScope = z.strictObject({
  from: day,
  to: day,
  /** The only entry of the share; without it, all entries of the days. */
  entryId: z.optional(entryId),
  notes: z.boolean(),
  /** Practices and steps. */
  practices: z.boolean(),
  /** Epoch milliseconds, at most `limits.shareMaxDays` after the grant. */
  expiresAt: z.number().check(z.int(), z.positive()),
});
export type ShareScope = z.infer<typeof shareScope>;

/** A user whom patients can allow to read. Patients see the name and the number of the medical council. */
export const clinician = z.object({ uid: z.string(), name: z.string(), crm: z.string() });
export type Clinician = z.infer<typeof clinician>;

export const clinicianFields = z.strictObject({
  name: z
    .string()
    .check(
      z.trim(),
      z.maxLength(limits.clinicianNameMaxLength),
      plainLine,
      z.refine(isVisible, 'Escreva o nome.'),
    ),
  crm: z
    .string()
    .check(
      z.trim(),
      z.toUpperCase(),
      z.maxLength(20),
      z.regex(/^CRM[-/ ]?[A-Z]{2} ?\d{1,3}(?:\.?\d{3})*$/, 'Escreva o CRM assim: CRM-SP 123456.'),
      z.overwrite(uniformCrm),
    ),
});

/** One number has one spelling, `CRM-SP 123456`, because a CRM names one account. */
function uniformCrm(crm: string): string {
  const [state, number] = [
    /[A-Z]{2}(?= ?\d)/.exec(crm)?.[0],
    crm.replace(/\D/g, '').replace(/^0+(?=\d)/, ''),
  ];
  return state === undefined ? crm : `CRM-${state} ${number}`;
}

/**
 * Returns the text that a patient agrees to.
 * @param formatDay writes a day or a time for readers
 */
export function consentText(
  { name, crm }: Pick<Clinician, 'name' | 'crm'>,
  { from, to, entryId: one, notes, practices, expiresAt }: ShareScope,
  { formatDay }: { formatDay: (day: string | number) => string },
): string {
  const days = one
    ? `uma anotação do meu diário, a de ${formatDay(from)}`
    : `o meu diário, de ${formatDay(from)} a ${formatDay(to)}`;
  return [
    `Autorizo ${name}, ${crm}, a ler, nas consultas, as palavras e a intensidade de ${days}.`,
    ...(notes ? ['Também minhas notas.'] : []),
    ...(practices ? ['Também minhas práticas e meus passos.'] : []),
    `Termina em ${formatDay(expiresAt)} ou quando eu encerrar.`,
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

/** One time that a clinician read, from the patient's access log. */
export const diaryRead = z.object({
  id: z.string(),
  clinician,
  at: z.number(),
  /** What the clinician read: entries of these days, or the note for a consultation. */
  what: z.enum(['entries', 'note']),
  from: day,
  to: day,
});
export type DiaryRead = z.infer<typeof diaryRead>;

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

/** The three answers of a note for a consultation, in the order of the clinic's questions. */
const answers = z
  .array(z.string().check(z.trim(), z.maxLength(limits.consultationAnswerMaxLength)))
  .check(z.length(3));

/** A note for a consultation. The clinician reads it from `shownAt` until the day after `day`. */
export const consultationNote = z.object({
  id: entryId,
  clinicianUid: z.string(),
  day,
  /** The questions as the patient read them. */
  questions: z.array(z.string()),
  answers,
  revision: z.number(),
  /** Null until "Mostrar na consulta", and again after the patient has closed it. */
  shownAt: z.nullable(z.number()),
});
export type ConsultationNote = z.infer<typeof consultationNote>;
