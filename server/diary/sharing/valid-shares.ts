import { type Clinician, type ShareScope, shareScope } from '#contract/diary/share.ts';
import type { Database, DatabaseKind } from '../../database/connect.ts';
import { AppError } from '../../http/errors.ts';
import { findClinician } from './clinicians.ts';

/** A share that a clinician may use now. */
export type ValidShare = { id: string; uid: string; scope: ShareScope };

/**
 * Reads the shares that a clinician may use now. A share counts only for the name and CRM that the patient
 * agreed to.
 * @param uid only the shares of this patient
 */
export async function readValidShares(
  database: Database,
  clinicianUid: string,
  uid?: string,
  now = Date.now(),
): Promise<ValidShare[]> {
  let query = database
    .selectFrom('diaryShares')
    .innerJoin('clinicians', (join) =>
      join
        .onRef('clinicians.uid', '=', 'diaryShares.clinicianUid')
        .onRef('clinicians.name', '=', 'diaryShares.clinicianName')
        .onRef('clinicians.crm', '=', 'diaryShares.crm'),
    )
    .select(['diaryShares.id', 'diaryShares.uid', 'diaryShares.scope'])
    .where('diaryShares.clinicianUid', '=', clinicianUid)
    .where('diaryShares.endedAt', 'is', null)
    .where('diaryShares.expiresAt', '>', now)
    .orderBy('diaryShares.grantedAt');
  if (uid !== undefined) query = query.where('diaryShares.uid', '=', uid);
  const rows = await query.execute();
  return rows.flatMap(({ id, uid: patient, scope: stored }) => {
    const scope = scopeOf(stored);
    return scope ? { id, uid: patient, scope } : [];
  });
}

/** Reads a stored scope. @returns undefined if it is damaged: nobody can read by such a share */
export function scopeOf(stored: string): ShareScope | undefined {
  try {
    return shareScope.parse(JSON.parse(stored));
  } catch {
    return undefined;
  }
}

/**
 * Returns a clinician who may read diaries now. Locks the record of the clinician, so that a concurrent
 * change of it waits for this transaction and then ends its shares.
 * @throws AppError `documents/clinician-unavailable`
 */
export async function requireClinician(
  transaction: Database,
  kind: DatabaseKind,
  uid: string,
): Promise<Clinician> {
  if (kind === 'postgres')
    await transaction.selectFrom('clinicians').select('uid').where('uid', '=', uid).forShare().execute();
  const clinician = await findClinician(transaction, uid);
  if (!clinician) throw new AppError('documents/clinician-unavailable');
  return clinician;
}
