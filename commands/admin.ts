/**
 * `npm run admin -- grant|revoke <e-mail>`: makes an account an admin, or ends that role. On a published
 * site, `grant` accepts an unverified email address only with `--unverified`, because a stranger may have
 * registered it.
 * `npm run admin -- new-secret`: says what is lost when the site goes on without its secret. With
 * `--confirm`, makes a new secret.
 * `npm run admin -- recover`: copies what can be read from a damaged SQLite database into a new one.
 * `npm run admin -- reset-second-factor <e-mail>`: turns off two-factor authentication, for a user who lost
 * the phone and the recovery codes.
 */
import { existsSync } from 'node:fs';
import { withAsciiDomain } from '#contract/text.ts';
import { newAuthSecret, readAuthSecret, storeAuthSecret } from '#server/auth/secret.ts';
import { type Database, type DatabaseKind, databaseKind, type Tables } from '#server/database/connect.ts';
import { lockDataFolder, requireOwner, sqliteFileIn } from '#server/database/installation/data-folder.ts';
import { openCurrentDatabase } from '#server/database/open.ts';
import { recoverSqlite } from '#server/database/rows/recover.ts';
import { runningServer, withStoppedSite } from '#server/database/stopped-site.ts';
import { removeLostClinicians } from '#server/diary/sharing/clinicians.ts';
import { isLocalhost, readEnvironment, StartError } from '#server/environment.ts';
import { AppError } from '#server/http/errors.ts';
import { updateUser } from '#server/users/users.ts';
import { failureText } from './terminal/run-command.ts';

type Account = {
  id: string;
  email: string;
  emailVerified: boolean | number;
  member: string;
  twoFactorEnabled: boolean | number;
};
type Run = (database: Database, kind: DatabaseKind, user: Account) => Promise<string>;

const unverifiedFlag = '--unverified';

const tasks = new Map<string, Run>([
  ['grant', (...account) => setAdmin(true, ...account)],
  ['revoke', (...account) => setAdmin(false, ...account)],
  ['reset-second-factor', resetSecondFactor],
]);

const confirmFlag = '--confirm';

const [task, email, ...rest] = process.argv.slice(2);
const unverifiedAllowed = task === 'grant' && rest[0] === unverifiedFlag;

try {
  console.log(
    task === 'new-secret'
      ? await replaceSecret()
      : task === 'recover' && email === undefined
        ? await recover()
        : await changeAccount(),
  );
} catch (error) {
  // An AppError means that the change was refused, for example to keep the last admin, and nothing changed.
  console.error(
    error instanceof AppError
      ? error.message
      : failureText(error, 'Repita o comando: ele diz se a mudança já foi feita.'),
  );
  process.exitCode = 1;
}

async function changeAccount(): Promise<string> {
  const run = task === undefined ? undefined : tasks.get(task);
  if (!run || email === undefined || rest.length > (unverifiedAllowed ? 1 : 0))
    throw new StartError(
      [
        'Escreva assim: npm run admin -- grant pessoa@exemplo.com.br',
        '(ou revoke, para tirar a administração;',
        'ou reset-second-factor, para quem perdeu o celular e os códigos da verificação em duas etapas;',
        'ou só new-secret, quando o segredo do site se perdeu ou vazou;',
        'ou só recover, quando o banco de dados está danificado e não há backup recente)',
      ].join('\n'),
    );
  return withAccount(withAsciiDomain(email).toLowerCase(), run);
}

/** Finds the account and calls `run` with it. @returns the message of `run` for the terminal */
async function withAccount(email: string, run: Run): Promise<string> {
  const environment = readEnvironment();
  const database = await openCurrentDatabase(environment);
  try {
    const user = await database
      .selectFrom('users')
      .select(['id', 'email', 'emailVerified', 'member', 'twoFactorEnabled'])
      .where('email', '=', email)
      .executeTakeFirst();
    const place = environment.databaseUrl ? 'no PostgreSQL de DATABASE_URL' : `em ${environment.dataDir}`;
    if (!user)
      throw new StartError(
        `Não há conta com o e-mail ${email} ${place}. A pessoa precisa antes criar a conta no site, em /register.`,
      );
    const isUnverified =
      task === 'grant' && user.member !== 'admin' && !user.emailVerified && !unverifiedAllowed;
    if (isUnverified && !isLocalhost(environment.publicUrl))
      throw new StartError(
        `${email} ainda não confirmou o e-mail: outra pessoa pode ter se cadastrado com ele. Se você tem certeza de quem é: npm run admin -- grant ${email} ${unverifiedFlag}`,
      );
    const done = await run(database, databaseKind(environment), user);
    return isUnverified ? `${done} Esta pessoa ainda não confirmou o e-mail.` : done;
  } finally {
    await database.destroy();
  }
}

async function setAdmin(admin: boolean, ...[database, kind, user]: Parameters<Run>): Promise<string> {
  if (admin === (user.member === 'admin'))
    return admin ? `${user.email} já é da administração.` : `${user.email} não é da administração.`;
  const patch = { member: admin ? ('admin' as const) : false };
  await updateUser(database, kind, { uid: user.id, tag: undefined, patch });
  return admin ? `${user.email} agora é da administração.` : `${user.email} não é mais da administração.`;
}

/** Removes the second factor. Also ends all sessions, because the thief of a phone could use one of them. */
async function resetSecondFactor(...[database, , user]: Parameters<Run>): Promise<string> {
  if (!user.twoFactorEnabled) return `${user.email} não usa a verificação em duas etapas.`;
  await database.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('twoFactors').where('userId', '=', user.id).execute();
    await transaction.deleteFrom('sessions').where('userId', '=', user.id).execute();
    await transaction
      .updateTable('users')
      .set({ twoFactorEnabled: false })
      .where('id', '=', user.id)
      .execute();
    await removeLostClinicians(transaction, user.id);
  });
  return `${user.email} entra agora só com a senha. Peça que ligue a verificação de novo em Conta.`;
}

/**
 * Lets the site go on without its earlier secret. Ends what was signed or encrypted with that secret, and
 * makes a new one, unless AUTH_SECRET has it.
 */
async function replaceSecret(): Promise<string> {
  const environment = readEnvironment();
  const { authSecret, dataDir, databaseUrl } = environment;
  if (databaseUrl !== undefined) await readAuthSecret(environment);
  // The database can be of an earlier version, because a server without its secret does not migrate it.
  return withStoppedSite(environment, async (database, applied) => {
    const lost = await describeLoss(database);
    if (email !== confirmFlag || rest.length > 0)
      throw new StartError(
        `Com um segredo novo, ${lost} Nada foi mudado. Para continuar: npm run admin -- new-secret ${confirmFlag}`,
      );
    await database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('sessions').execute();
      await transaction.deleteFrom('twoFactors').execute();
      await transaction.updateTable('users').set({ twoFactorEnabled: false }).execute();
      if (applied.includes('041-assignments')) await removeLostClinicians(transaction);
    });
    if (authSecret === undefined) await storeAuthSecret(dataDir, newAuthSecret());
    return `O site tem agora ${authSecret === undefined ? 'um segredo novo' : 'o segredo de AUTH_SECRET'}: ${lost} Faça um backup, e comece o servidor.`;
  });
}

/** Copies what can be read from a damaged SQLite database into a new one. */
async function recover(): Promise<string> {
  const environment = readEnvironment();
  const { dataDir, databaseUrl } = environment;
  if (databaseUrl !== undefined)
    throw new StartError('Com DATABASE_URL, quem recupera o banco de dados é o PostgreSQL. Nada foi mudado.');
  if (!existsSync(sqliteFileIn(dataDir)))
    throw new StartError(`Não há banco de dados em ${dataDir}. Nada foi mudado. Confira DATA_DIR.`);
  requireOwner(dataDir);
  const unlock = lockDataFolder(dataDir, runningServer(dataDir));
  try {
    const { kept, rows, damaged } = await recoverSqlite(environment);
    const count = (name: keyof Tables) => rows.get(name) ?? 0;
    return [
      `Recuperado: ${count('users')} contas, ${count('activities')} práticas, ${count('files')} arquivos.`,
      damaged.length === 0
        ? 'Nenhuma linha se perdeu.'
        : `Perderam-se linhas destas tabelas: ${damaged.join(', ')}. Compare com o último backup.`,
      `O banco de dados danificado ficou em ${dataDir}/${kept}: ele tem dados de saúde; apague-o quando não precisar mais dele.`,
      'Rode npm run check, comece o servidor e faça um backup. Se o disco causou o dano, troque-o.',
    ].join('\n');
  } finally {
    unlock();
  }
}

async function describeLoss(database: Database): Promise<string> {
  const users = await database
    .selectFrom('users')
    .select('email')
    .where('twoFactorEnabled', '=', true)
    .orderBy('email')
    .execute();
  const secondFactors =
    users.length === 0
      ? 'Ninguém usa a verificação em duas etapas.'
      : `A verificação em duas etapas fica desligada para ${users.map((user) => user.email).join(', ')}: peça que a liguem de novo.`;
  return `todas as sessões terminam, e os links dos e-mails já enviados deixam de valer. ${secondFactors}`;
}
