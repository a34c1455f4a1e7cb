import { type ShareScope, shareScope } from '#contract/diary/share.ts';
import type { Database } from '../database/connect.ts';

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
  return rows.map((row) => ({ ...row, scope: shareScope.parse(JSON.parse(row.scope)) }));
}
