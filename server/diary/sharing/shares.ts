import { createHash } from 'node:crypto';
import { dayMs } from '#contract/calendar.ts';
import {
  consentText,
  consentVersion,
  type DiaryRead,
  type DiaryShare,
  type NewShare,
  type ShareScope,
} from '#contract/diary/share.ts';
import { limits } from '#contract/limits.ts';
import type { AppContext } from '../../context.ts';
import type { Database, Tables } from '../../database/connect.ts';
import { AppError } from '../../http/errors.ts';
import { lockUser } from '../../users/users.ts';
import { requireClinician, scopeOf } from './valid-shares.ts';

type ShareContext = Pick<AppContext, 'database' | 'databaseKind'>;

/** Reads a patient's shares, newest first. */
export async function listShares(database: Database, uid: string): Promise<DiaryShare[]> {
  const rows = await database
    .selectFrom('diaryShares')
    .selectAll()
    .where('uid', '=', uid)
    .orderBy('grantedAt', 'desc')
    .orderBy('id')
    .execute();
  const reads = await database
    .selectFrom('diaryReads')
    .select((row) => ['shareId', row.fn.max<number>('at').as('lastReadAt')])
    .where('uid', '=', uid)
    .where('shareId', 'is not', null)
    .groupBy('shareId')
    .execute();
  const lastReads = new Map(reads.map(({ shareId, lastReadAt }) => [shareId, Number(lastReadAt)]));
  return rows.flatMap((row) => shareOf(row, lastReads.get(row.id) ?? null) ?? []);
}

/**
 * Grants a share. A repeated request changes nothing, also after the share has ended.
 * @returns `isNew` if the share was granted by this call
 * @throws AppError `request/invalid`; `documents/clinician-unavailable`; `documents/consent-changed` if the
 * patient read another text than the one of this share; `documents/too-many-shares`
 */
export async function grantShare(
  { database, databaseKind }: ShareContext,
  uid: string,
  { id, clinicianUid, scope, consentVersion: seenVersion, consent: seen }: NewShare,
  now = Date.now(),
): Promise<{ share: DiaryShare; isNew: boolean }> {
  return database.transaction().execute(async (transaction) => {
    await lockUser(transaction, databaseKind, uid);
    const stored = (await listShares(transaction, uid)).find((share) => share.id === id);
    if (stored) return { share: stored, isNew: false };
    if (clinicianUid === uid) throw invalid('clinicianUid', 'Escolha outra pessoa.');
    if (scope.expiresAt <= now || scope.expiresAt > now + limits.shareMaxDays * dayMs)
      throw invalid('scope.expiresAt', 'Escolha um fim nos próximos 90 dias.');
    const { name, crm } = await requireClinician(transaction, databaseKind, clinicianUid);
    const consent = consentText({ name, crm }, scope);
    if (seenVersion !== consentVersion || seen !== consent) throw new AppError('documents/consent-changed');
    if (scope.entryId !== undefined) await requireEntry(transaction, uid, scope.entryId, scope.from);
    await requireRoom(transaction, uid, now);
    const row: Tables['diaryShares'] = {
      ...{ uid, id, clinicianUid, clinicianName: name, crm, scope: JSON.stringify(scope) },
      ...{ consent, consentVersion, consentDigest: createHash('sha256').update(consent).digest('hex') },
      ...{ grantedAt: now, expiresAt: scope.expiresAt, endedAt: null, endedBy: null },
    };
    await transaction.insertInto('diaryShares').values(row).execute();
    return { share: shareWith(scope, row, null), isNew: true };
  });
}

/**
 * Ends shares.
 * @param id only this share of the patient
 * @returns true if a clinician could read until this call
 */
export async function endShares(
  database: Database,
  { uid, id, endedBy }: { uid: string; id?: string; endedBy: DiaryShare['endedBy'] },
  now = Date.now(),
): Promise<boolean> {
  let query = database
    .updateTable('diaryShares')
    .set({ endedAt: now, endedBy })
    .where('uid', '=', uid)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', now);
  if (id !== undefined) query = query.where('id', '=', id);
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Ends all shares and closes all notes, because a restored backup does not know which of them the patients
 * have ended since.
 */
export async function endRestoredShares(transaction: Database, now = Date.now()): Promise<void> {
  await transaction
    .updateTable('diaryShares')
    .set({ endedAt: now, endedBy: 'restore' })
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', now)
    .execute();
  await transaction
    .updateTable('consultationNotes')
    .set((row) => ({ shownAt: null, revision: row('revision', '+', 1) }))
    .where('shownAt', 'is not', null)
    .execute();
}

/** Reads the newest entries of a patient's access log: who has read what. */
export async function listReads(database: Database, uid: string, limit?: number): Promise<DiaryRead[]> {
  let query = database
    .selectFrom('diaryReads')
    .selectAll()
    .where('uid', '=', uid)
    .orderBy('at', 'desc')
    .orderBy('id');
  if (limit !== undefined) query = query.limit(limit);
  const rows = await query.execute();
  return rows.map(({ id, clinicianUid, clinicianName, crm, at, what, fromDay, toDay }) => ({
    ...{ id, clinician: { uid: clinicianUid, name: clinicianName, crm }, at: Number(at), what },
    ...{ from: fromDay, to: toDay },
  }));
}

/** @throws AppError `request/invalid` */
async function requireEntry(transaction: Database, uid: string, id: string, day: string): Promise<void> {
  const entry = await transaction
    .selectFrom('diaryEntries')
    .select('id')
    .where('uid', '=', uid)
    .where('id', '=', id)
    .where('day', '=', day)
    .executeTakeFirst();
  if (!entry) throw invalid('scope.entryId', 'Esta anotação não existe mais.');
}

/** @throws AppError `documents/too-many-shares` */
async function requireRoom(transaction: Database, uid: string, now: number): Promise<void> {
  const rows = await transaction
    .selectFrom('diaryShares')
    .select(['endedAt', 'expiresAt'])
    .where('uid', '=', uid)
    .execute();
  const open = rows.filter(({ endedAt, expiresAt }) => endedAt === null && Number(expiresAt) > now);
  if (open.length >= limits.sharesMaxOpen || rows.length >= limits.sharesMaxItems)
    throw new AppError('documents/too-many-shares');
}

/** @returns undefined if the row is damaged */
function shareOf(row: Tables['diaryShares'], lastReadAt: number | null): DiaryShare | undefined {
  const scope = scopeOf(row.scope);
  return scope && shareWith(scope, row, lastReadAt);
}

function shareWith(scope: ShareScope, row: Tables['diaryShares'], lastReadAt: number | null): DiaryShare {
  const { id, clinicianUid, clinicianName, crm, consent, consentVersion, consentDigest, endedBy } = row;
  return {
    ...{ id, clinician: { uid: clinicianUid, name: clinicianName, crm } },
    ...{ scope, consent, consentVersion, consentDigest },
    ...{ grantedAt: Number(row.grantedAt), endedAt: row.endedAt === null ? null : Number(row.endedAt) },
    ...{ endedBy, lastReadAt },
  };
}

const invalid = (path: string, message: string) =>
  new AppError('request/invalid', { message, issues: [{ path, message }] });
