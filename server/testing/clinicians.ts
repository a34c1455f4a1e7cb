import type { Clinician } from '#contract/diary/share.ts';
import type { TestServer } from './server.ts';

let crmCount = 0;

/** Makes a new user a clinician, with a second factor. */
export async function joinClinician(
  { join, database }: Pick<TestServer, 'join' | 'database'>,
  name = 'Dra. Ana Prado',
) {
  const user = await join('admin', name);
  crmCount += 1;
  const clinician: Clinician = { uid: user.uid, name, crm: `CRM-SP ${1_000 + crmCount}` };
  await database.updateTable('users').set({ twoFactorEnabled: true }).where('id', '=', user.uid).execute();
  await database
    .insertInto('clinicians')
    .values({ ...clinician, namedAt: Date.now() })
    .execute();
  return { ...user, clinician };
}
