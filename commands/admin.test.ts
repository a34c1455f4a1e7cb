import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { createAuth } from '#server/auth/auth.ts';
import { lockDataFolder } from '#server/database/installation/data-folder.ts';
import { readEnvironment } from '#server/environment.ts';
import { openContext } from '#server/start.ts';
import { createOldSite, stateOf } from '#server/testing/old-versions/old-site.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { getUser } from '#server/users/users.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'acolhe-admin-'));
const context = await openContext(readEnvironment({ DATA_DIR: dataDir }));
const auth = createAuth(context);
const { result: ana } = await signUp('ana@example.com');
const { result: rui } = await signUp('rui@example.com');

after(async () => {
  await auth.close();
  await context.database.destroy();
  rmSync(dataDir, { recursive: true });
});

test('without a data folder, it says to start the server first, and creates nothing', async () => {
  const empty = join(dataDir, 'vazia');
  const { code, output } = await adminOf({ DATA_DIR: empty }, 'grant', 'ana@example.com');
  assert.deepEqual(
    [code, output],
    [1, `Ainda não há um site em ${empty}: comece antes o servidor, com npm start.`],
  );
  assert.equal(existsSync(empty), false);
});

for (const [age, change, says] of [
  ['an older', `delete from kysely_migration where name = '033-version-0-2'`, /versão anterior.*npm start/],
  [
    'a newer',
    `insert into kysely_migration values ('999-futuro', '2030-01-01T00:00:00.000Z')`,
    /versão mais nova.*999-futuro.*docs\/backup\.md/,
  ],
] as const)
  test(`on a database of ${age} version it refuses with one sentence and changes nothing`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'acolhe-admin-version-'));
    try {
      const { database } = await openContext(readEnvironment({ DATA_DIR: folder }));
      await sql.raw(change).execute(database);
      const names = async () =>
        (await sql<{ name: string }>`select name from kysely_migration`.execute(database)).rows;
      const before = await names();
      const { code, output } = await adminOf({ DATA_DIR: folder }, 'grant', 'ana@example.com');
      assert.equal(code, 1);
      assert.match(output, says);
      assert.doesNotMatch(output, /\n/);
      assert.deepEqual(await names(), before);
      await database.destroy();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

test('grant makes an account an admin, whatever the case of its email address', async () => {
  const { code, output } = await admin('grant', 'Ana@Example.com');
  assert.equal(code, 0);
  assert.match(output, /^ana@example\.com agora é da administração\./);
  assert.match(output, /não confirmou/, 'there are no mails on localhost');
  assert.equal(await memberOf(ana.uid), 'admin');
});

test('on a published site an unverified email address needs --unverified', async () => {
  const published = { PUBLIC_URL: 'https://clinica.com.br', TRUSTED_PROXIES: 'loopback' };
  const { result: bia } = await signUp('bia@example.com');
  const refused = await adminOf(published, 'grant', 'bia@example.com');
  assert.equal(refused.code, 1);
  assert.match(refused.output, /npm run admin -- grant bia@example\.com --unverified$/);
  assert.equal(await memberOf(bia.uid), false);
  assert.equal((await adminOf(published, 'grant', 'bia@example.com', '--unverified')).code, 0);
  assert.equal(await memberOf(bia.uid), 'admin');
  await adminOf(published, 'revoke', 'bia@example.com');
  assert.equal(await memberOf(bia.uid), false);

  await context.database
    .updateTable('users')
    .set({ emailVerified: true })
    .where('id', '=', bia.uid)
    .execute();
  const { code, output } = await adminOf(published, 'grant', 'bia@example.com');
  assert.deepEqual([code, output], [0, 'bia@example.com agora é da administração.']);
  await adminOf(published, 'revoke', 'bia@example.com');
});

test('the last admin cannot be revoked', async () => {
  const { code, output } = await admin('revoke', 'ana@example.com');
  assert.deepEqual([code, output], [1, 'É preciso haver pelo menos uma conta de administração.']);
  assert.equal(await memberOf(ana.uid), 'admin');
});

test('revoke removes the role when there is another admin', async () => {
  await admin('grant', 'rui@example.com');
  const { code, output } = await admin('revoke', 'ana@example.com');
  assert.deepEqual([code, output], [0, 'ana@example.com não é mais da administração.']);
  assert.deepEqual([await memberOf(ana.uid), await memberOf(rui.uid)], [false, 'admin']);
});

test('grant of an admin and revoke of a patient say so and change nothing', async () => {
  assert.equal((await admin('grant', 'rui@example.com')).output, 'rui@example.com já é da administração.');
  assert.equal((await admin('revoke', 'ana@example.com')).output, 'ana@example.com não é da administração.');
});

test('after a reset of the second factor the password alone signs in', async () => {
  const { database } = context;
  assert.equal(
    (await admin('reset-second-factor', 'ana@example.com')).output,
    'ana@example.com não usa a verificação em duas etapas.',
  );
  await database.updateTable('users').set({ twoFactorEnabled: true }).where('id', '=', ana.uid).execute();
  await database
    .insertInto('twoFactors')
    .values({ id: 'lost', userId: ana.uid, secret: 'lost', backupCodes: 'lost', verified: true })
    .execute();
  const credentials = { email: 'ana@example.com', password: 'umasenhaboa42' };
  const signIn = async () => (await auth.signIn(credentials, new Headers(), false)).result;
  assert.equal(await signIn(), undefined);

  const { code, output } = await admin('reset-second-factor', 'ana@example.com');
  assert.deepEqual(
    [code, output],
    [0, 'ana@example.com entra agora só com a senha. Peça que ligue a verificação de novo em Conta.'],
  );
  const left = await database.selectFrom('sessions').select('id').where('userId', '=', ana.uid).execute();
  assert.deepEqual(left, []);
  assert.equal((await signIn())?.uid, ana.uid);
});

for (const args of [
  ['reset-second-factor', 'rui@example.com'],
  ['new-secret', '--confirm'],
])
  test(`a clinician who loses the second factor by ${args[0]} is no clinician any more`, async () => {
    const { database } = context;
    await database.updateTable('users').set({ twoFactorEnabled: true }).where('id', '=', rui.uid).execute();
    const clinician = { uid: rui.uid, name: 'Rui', crm: 'CRM-SP 1', namedAt: 1 };
    await database.insertInto('clinicians').values(clinician).execute();
    assert.equal((await admin(...args)).code, 0);
    assert.deepEqual(await database.selectFrom('clinicians').selectAll().execute(), []);
  });

test('a lost secret stops the start; new-secret says what is lost, and with --confirm the site goes on', async (t) => {
  // The database still needs migrations, so only this command can open it without the secret.
  const site = await createOldSite(t, 'sqlite', '013-access-log-actor');
  const run = (...args: string[]) => adminOf(site.settings, ...args);
  const unlock = lockDataFolder(site.dataDir);
  assert.match((await run('new-secret', '--confirm')).output, /O servidor está no ar.*Nada foi mudado/);
  unlock();
  await site.change('update users set "twoFactorEnabled" = true');
  await site.change(
    `insert into "twoFactors" (id, "userId", secret, "backupCodes", verified) values ('f', 'u1', 'lost', 'lost', true)`,
  );
  rmSync(join(site.dataDir, 'auth-secret'));
  await assert.rejects(startServerProcess(site.dataDir), /Falta .*auth-secret, o segredo deste site/);

  const state = await stateOf(site.settings);
  const asked = await run('new-secret');
  assert.equal(asked.code, 1);
  assert.match(
    asked.output,
    /todas as sessões terminam.*fica desligada para ana@exemplo\.com\.br.*Nada foi mudado.*new-secret --confirm/,
  );
  assert.deepEqual(await stateOf(site.settings), state);

  const done = await run('new-secret', '--confirm');
  assert.equal(done.code, 0, done.output);
  assert.match(done.output, /^O site tem agora um segredo novo/);
  const again = await startServerProcess(site.dataDir);
  t.after(() => again.kill());
  const database = new DatabaseSync(join(site.dataDir, 'acolhe.sqlite'));
  t.after(() => database.close());
  assert.deepEqual({ ...database.prepare('select "twoFactorEnabled" as "on" from users').get() }, { on: 0 });
  assert.equal(database.prepare('select id from "twoFactors"').get(), undefined);
});

test('recover leaves a database as it is that is not damaged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'acolhe-recover-'));
  try {
    const whole = await openContext(readEnvironment({ DATA_DIR: folder }));
    await whole.database.destroy();
    const { code, output } = await adminOf({ DATA_DIR: folder }, 'recover');
    assert.deepEqual(
      [code, output],
      [1, 'O banco de dados está inteiro: não há o que recuperar. Nada foi mudado.'],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('when another program locks the database, it says so in one sentence and changes nothing', async () => {
  const other = new DatabaseSync(join(dataDir, 'acolhe.sqlite'));
  other.exec('begin exclusive');
  try {
    const { code, output } = await admin('grant', 'ana@example.com');
    assert.equal(code, 1);
    assert.match(output, /nenhum outro programa usa os mesmos dados.*Repita o comando/);
    assert.doesNotMatch(output, /\n/);
  } finally {
    other.close();
  }
  assert.equal(await memberOf(ana.uid), false);
});

test('for an unknown email address, a message says what to do', async () => {
  const { code, output } = await admin('grant', 'ninguem@example.com');
  assert.equal(code, 1);
  assert.match(output, /^Não há conta com o e-mail ninguem@example\.com .*\/register\.$/);
});

test('without a task it prints the usage', async () => {
  for (const args of [
    [],
    ['grant'],
    ['promote', 'ana@example.com'],
    ['grant', 'a@b.co', 'c@d.co'],
    ['revoke', 'a@b.co', '--unverified'],
  ]) {
    const { code, output } = await admin(...args);
    assert.equal(code, 1);
    assert.match(output, /npm run admin -- grant/);
  }
});

function signUp(email: string) {
  const input = { displayName: 'Pessoa', email, password: 'umasenhaboa42' };
  return auth.signUp(input, new Headers());
}

async function memberOf(uid: string) {
  return (await getUser(context.database, uid)).member;
}

function admin(...args: string[]): Promise<{ code: number; output: string }> {
  return adminOf({}, ...args);
}

/** Runs the command with these environment variables. */
function adminOf(
  settings: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', ...settings };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, 'admin.ts'), ...args],
      { env },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, output: (stdout + stderr).trim() });
      },
    );
  });
}
