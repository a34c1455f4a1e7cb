import type { Database } from '#server/database/connect.ts';

/** True if the secret decrypts a value of the table `twoFactors`. */
export async function canDecrypt(value: string, secret: string): Promise<boolean> {
  const { symmetricDecrypt } = await import('better-auth/crypto');
  return symmetricDecrypt({ key: secret, data: value }).then(
    () => true,
    () => false,
  );
}

/** Returns the email addresses of the users whose second factor was encrypted with another secret. */
export async function findUnreadableSecondFactors(database: Database, secret: string): Promise<string[]> {
  const rows = await database
    .selectFrom('twoFactors')
    .innerJoin('users', 'users.id', 'twoFactors.userId')
    .select(['twoFactors.secret', 'users.email'])
    .where('users.twoFactorEnabled', '=', true)
    .execute();
  const unreadable: string[] = [];
  for (const row of rows) if (!(await canDecrypt(row.secret, secret))) unreadable.push(row.email);
  return unreadable;
}
