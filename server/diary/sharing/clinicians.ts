import type { Clinician } from '#contract/diary/share.ts';
import { earliestToday } from '#contract/diary/week.ts';
import type { Database } from '../../database/connect.ts';
import { AppError } from '../../http/errors.ts';

/** The users who may be clinicians: admins who have a second factor or a passkey. */
const selectEligible = (database: Database) =>
  database
    .selectFrom('users')
    .select('users.id')
    .where('member', '=', 'admin')
    .where(({ eb, or, selectFrom }) =>
      or([
        eb('twoFactorEnabled', '=', true),
        eb('users.id', 'in', selectFrom('passkeys').select('passkeys.uid')),
      ]),
    );

export async function isEligible(database: Database, uid: string): Promise<boolean> {
  return (await selectEligible(database).where('users.id', '=', uid).executeTakeFirst()) !== undefined;
}

/** Role and factors are checked, too, although their loss deletes the row. */
const selectClinicians = (database: Database) =>
  database
    .selectFrom('clinicians')
    .select(['uid', 'name', 'crm'])
    .where('uid', 'in', selectEligible(database));

/** Lists the users whom patients can allow to read, by name. */
export async function listClinicians(database: Database): Promise<Clinician[]> {
  return selectClinicians(database).orderBy('name').orderBy('uid').execute();
}

export async function findClinician(database: Database, uid: string): Promise<Clinician | undefined> {
  return selectClinicians(database).where('uid', '=', uid).executeTakeFirst();
}

/**
 * Names a clinician, or changes the name or CRM, which ends what patients granted. The transaction must have
 * locked the admins.
 * @returns the clinician before the change; `unchanged` if there is none
 * @throws AppError `documents/clinician-not-ready`, `documents/crm-taken`
 */
export async function nameClinician(
  transaction: Database,
  { uid, name, crm }: Clinician,
): Promise<Clinician | undefined | 'unchanged'> {
  if (!(await isEligible(transaction, uid))) throw new AppError('documents/clinician-not-ready');
  const before = await findClinician(transaction, uid);
  if (before?.name === name && before.crm === crm) return 'unchanged';
  const holder = await transaction
    .selectFrom('clinicians')
    .select('uid')
    .where('crm', '=', crm)
    .where('uid', '!=', uid)
    .executeTakeFirst();
  if (holder) throw new AppError('documents/crm-taken');
  await transaction
    .insertInto('clinicians')
    .values({ uid, name, crm, namedAt: Date.now() })
    .onConflict((conflict) => conflict.column('uid').doUpdateSet({ name, crm, namedAt: Date.now() }))
    .execute();
  await endGrants(transaction, uid);
  return before;
}

/**
 * Ends a clinician's role, what patients granted, and what is proposed. The row of the clinician goes first:
 * the deletion waits for transactions that have called `requireClinician`.
 * @returns undefined if the user is no clinician
 */
export async function removeClinician(transaction: Database, uid: string): Promise<Clinician | undefined> {
  const removed = await transaction
    .deleteFrom('clinicians')
    .where('uid', '=', uid)
    .returning(['uid', 'name', 'crm'])
    .executeTakeFirst();
  if (removed) await endClinician(transaction, uid);
  return removed;
}

/**
 * Removes clinicians who have lost the admin role, or the last second factor or passkey, and ends what
 * patients granted them. Call it in the transaction of the loss, after the user's row is locked or written.
 * @param uid only this user
 */
export async function removeLostClinicians(transaction: Database, uid?: string): Promise<void> {
  const lost = await transaction
    .deleteFrom('clinicians')
    .where('uid', 'not in', selectEligible(transaction))
    .$if(uid !== undefined, (query) => query.where('uid', '=', uid ?? ''))
    .returning('uid')
    .execute();
  for (const clinician of lost) await endClinician(transaction, clinician.uid);
}

/** Ends what patients granted a clinician, and withdraws what the clinician has proposed. */
async function endClinician(transaction: Database, clinicianUid: string): Promise<void> {
  await endGrants(transaction, clinicianUid);
  await transaction
    .updateTable('assignments')
    .set({ withdrawnAt: Date.now() })
    .where('clinicianUid', '=', clinicianUid)
    .where('withdrawnAt', 'is', null)
    .where('toDay', '>=', earliestToday(Date.now()))
    .execute();
}

/** Ends the shares of a clinician's patients, and closes the notes for consultations that are shown. */
async function endGrants(transaction: Database, clinicianUid: string): Promise<void> {
  await transaction
    .updateTable('diaryShares')
    .set({ endedAt: Date.now(), endedBy: 'clinician' })
    .where('clinicianUid', '=', clinicianUid)
    .where('endedAt', 'is', null)
    .where('expiresAt', '>', Date.now())
    .execute();
  await transaction
    .updateTable('consultationNotes')
    .set((row) => ({ shownAt: null, revision: row('revision', '+', 1) }))
    .where('clinicianUid', '=', clinicianUid)
    .where('shownAt', 'is not', null)
    .execute();
}
