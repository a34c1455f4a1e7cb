/** `npm run admin -- grant|revoke <e-mail>`: makes an account an admin, or no longer one. */
import { databaseKind } from '#server/database/connect.ts';
import { updateUser } from '#server/documents/users.ts';
import { readEnvironment, StartError } from '#server/environment.ts';
import { AppError } from '#server/errors.ts';
import { openContext } from '#server/start.ts';

const [task, email, ...rest] = process.argv.slice(2);

try {
  if ((task !== 'grant' && task !== 'revoke') || email === undefined || rest.length > 0)
    throw new StartError(
      'Escreva assim: npm run admin -- grant pessoa@exemplo.com.br\n(ou revoke, para tirar a administração)',
    );
  console.log(await setAdmin(email.toLowerCase(), task === 'grant'));
} catch (error) {
  if (!(error instanceof StartError || error instanceof AppError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function setAdmin(email: string, admin: boolean): Promise<string> {
  const environment = readEnvironment();
  const { database } = await openContext(environment);
  try {
    const user = await database
      .selectFrom('users')
      .select(['id', 'member'])
      .where('email', '=', email)
      .executeTakeFirst();
    const place = environment.databaseUrl ? 'no PostgreSQL de DATABASE_URL' : `em ${environment.dataDir}`;
    if (!user)
      throw new StartError(
        `Não há conta com o email ${email} ${place}. A pessoa precisa antes criar a conta no site, em /register.`,
      );
    if (admin === (user.member === 'admin'))
      return admin ? `${email} já é da administração.` : `${email} não é da administração.`;
    const patch = { member: admin ? ('admin' as const) : false };
    await updateUser(database, databaseKind(environment), { uid: user.id, tag: undefined, patch });
    return admin ? `${email} agora é da administração.` : `${email} não é mais da administração.`;
  } finally {
    await database.destroy();
  }
}
