import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import { findFreePort } from '#server/testing/free-port.ts';
import { createOldSite, type OldSite, stateOf } from '#server/testing/old-versions/old-site.ts';
import { type Mailbox, startMailbox } from '#server/testing/peers/mailbox.ts';
import { type SwiftServer, s3Environment, startSwift } from '#server/testing/peers/swift.ts';
import { startServerProcess } from '#server/testing/server-process.ts';

const hourMs = 60 * 60_000;
const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kudd7ckasw7k5pt';

let swift: SwiftServer;
let mailbox: Mailbox;
before(async () => {
  swift = await startSwift();
  mailbox = await startMailbox();
});
after(async () => {
  await swift.remove();
  await mailbox.stop();
});

/** The settings of a published site, whose mail server responds. */
const published = () => ({
  PUBLIC_URL: 'https://clinica.exemplo.com.br',
  TRUSTED_PROXIES: 'loopback',
  SMTP_URL: mailbox.url,
  BACKUP_DIR: '/tmp/acolhe-backups-of-a-test',
  BACKUP_RECIPIENT: recipient,
});

/** Records a backup that some hours ago began, was checked and passed a drill. Publishes the site. */
async function careFor(site: OldSite, { hours = 1, damagedParts = 0, isDrilled = true } = {}) {
  const at = Date.now() - hours * hourMs;
  await site.change(
    `insert into "backupRuns" ("startedAt", "finishedAt", snapshot, "storedBytes", "verifiedAt", "damagedParts")
      values (${at}, ${at + 1}, 's', 1, ${at + 2}, ${damagedParts})`,
  );
  if (isDrilled) await site.change(`update "backupRuns" set "drilledAt" = ${at + 3}`);
  await site.change(`update "siteState" set version = 1`);
}

describe('npm run check', () => {
  it('on an empty place creates nothing, and says that the site is not published yet', async (t) => {
    const folder = await temporaryFolder(t);
    const DATA_DIR = path.join(folder, 'data');
    const { code, lines } = await check({ DATA_DIR, PORT: String(await findFreePort()) });
    assert.equal(code, 1);
    assert.deepEqual(
      lines.map(([mark, subject]) => `${mark} ${subject}`),
      [
        ...['ok Configurações', 'ok Pasta de dados', 'ok Porta', 'ok Banco de dados', 'ok Segredo'],
        ...['ok Arquivos', 'ok Chave dos diários', 'ok Espaço no disco'],
        ...['ok Verificação em duas etapas', 'ok Lugar dos backups'],
        ...['ok Backups', 'ok E-mail', 'veja Publicação'],
      ],
    );
    assert.deepEqual(await stateOf({ DATA_DIR: folder }), { rows: undefined });
  });

  for (const kind of allDatabaseKinds)
    it(`on a site of an earlier version, on ${kind}, says what the next start does, and changes nothing`, async (t) => {
      const site = await createOldSite(t, kind, '013-access-log-actor');
      const settings = { ...site.settings, ...published(), PORT: String(await findFreePort()) };
      const state = await stateOf(settings);
      const { code, lines, output } = await check(settings);
      assert.equal(code, 1);
      assert.deepEqual(
        lines.filter(([mark]) => mark !== 'ok').map(([, ...line]) => line.join(': ')),
        [
          'Backups: Ainda não há nenhum: rode npm run backup.',
          `Publicação: O site ainda mostra os textos de exemplo: escreva os da clínica em ${settings.PUBLIC_URL}/admin/site e publique.`,
        ],
        output,
      );
      assert.match(
        textOf(lines, 'Banco de dados'),
        /versão anterior: o próximo início do servidor faz (?:uma mudança|\d+ mudanças)/,
      );
      assert.deepEqual(await stateOf(settings), state);
    });

  for (const [kind, where] of [
    ['sqlite', 'disk'],
    ['postgres', 'S3'],
  ] as const)
    it(`beside a running server, on ${kind} and ${where}, finds everything well, and changes nothing`, async (t) => {
      const site = await createOldSite(t, kind);
      await site.change('delete from files');
      const s3 = where === 'S3' ? s3Environment(swift) : {};
      const server = await startServerProcess(site.dataDir, { ...site.settings, ...published(), ...s3 });
      t.after(() => server.kill());
      await careFor(site);
      const settings = { ...site.settings, ...published(), ...s3, PORT: server.port };
      // The server's clean-up after the start writes a little.
      let [state, again] = [await stateOf(settings), await stateOf(settings)];
      const isSettled = () => JSON.stringify(state) === JSON.stringify(again);
      while (!isSettled()) [state, again] = [again, await stateOf(settings)];
      const { code, lines, output } = await check(settings);
      assert.equal(code, 0, output);
      assert.match(output, /Está tudo certo\.$/);
      assert.match(textOf(lines, 'Porta'), /o servidor já está no ar/);
      assert.match(textOf(lines, 'Banco de dados'), /inteiro e desta versão/);
      assert.match(textOf(lines, 'Arquivos'), where === 'S3' ? /no bucket .* que responde/ : /^em /);
      if (kind === 'sqlite') assert.deepEqual(await stateOf(settings), state);
    });

  it('after a killed server, on SQLite, reads the log and changes nothing', async (t) => {
    const site = await createOldSite(t, 'sqlite');
    const server = await startServerProcess(site.dataDir, site.settings);
    await server.kill();
    const settings = { ...site.settings, PORT: server.port };
    const state = await stateOf(settings);
    const { lines } = await check(settings);
    assert.match(textOf(lines, 'Banco de dados'), /inteiro e desta versão/);
    assert.deepEqual(await stateOf(settings), state);
  });

  it('says of each thing that is not well what to do', async (t) => {
    const site = await createOldSite(t, 'sqlite');
    await careFor(site, { hours: 30, isDrilled: false });
    await site.change(`insert into "backupPlace" (id, place) values (1, 'a disk that is not mounted')`);
    const server = createServer().listen({ host: 'localhost', port: await findFreePort() });
    t.after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await rm(path.join(site.dataDir, 'auth-secret'));
    const settings = {
      ...{ ...site.settings, ...published(), PORT: String(port), ...s3Environment(swift) },
      SMTP_URL: 'smtp://127.0.0.1:1',
    };
    const { code, lines } = await check(settings);
    assert.equal(code, 1);
    for (const [subject, says] of Object.entries({
      Porta: /já está em uso: pare o outro programa/,
      Segredo: /Falta .*auth-secret.* new-secret/,
      Arquivos: /não tem os arquivos deste site/,
      'Lugar dos backups': /não está o lugar dos backups deste site.*veja se está montado/,
      Backups: /O último é de 30 horas atrás.*Rode npm run backup/,
      'E-mail': /não aceitou a conexão.*Confira SMTP_URL/,
    })) {
      assert.match(textOf(lines, subject), says);
      assert.equal(lines.find(([, name]) => name === subject)?.[0], 'veja');
    }
    const reserved = await check(settings, '--socket');
    assert.match(textOf(reserved.lines, 'Porta'), /reservada para o servidor/);
  });

  it('notices that the files are not in the folder that the database names', async (t) => {
    const site = await createOldSite(t, 'sqlite');
    const server = await startServerProcess(site.dataDir, site.settings);
    await server.stop();
    const settings = { ...site.settings, PORT: server.port };
    assert.match(textOf((await check(settings)).lines, 'Arquivos'), /^em /);
    await rm(path.join(site.dataDir, 'files'), { recursive: true });
    assert.match(textOf((await check(settings)).lines, 'Arquivos'), /files não tem os arquivos deste site/);
  });

  it('goes on without the database, and without a mail server and a place for backups', async (t) => {
    const folder = await temporaryFolder(t);
    const { SMTP_URL: _, BACKUP_DIR: __, BACKUP_RECIPIENT: ___, ...settings } = published();
    const { code, lines } = await check({
      ...{ ...settings, DATA_DIR: folder, PORT: String(await findFreePort()) },
      ...{ DATABASE_URL: 'postgres://127.0.0.1:1/acolhe', AUTH_SECRET: 'a secret of the tests, long enough' },
    });
    assert.equal(code, 1);
    assert.match(textOf(lines, 'Banco de dados'), /O PostgreSQL não respondeu em 5 segundos/);
    assert.match(textOf(lines, 'Segredo'), /não deu para conferir/);
    assert.match(textOf(lines, 'E-mail'), /escreva SMTP_URL e MAIL_FROM/);
  });

  it('names a wrong setting, and the usage of unknown options', async () => {
    const wrong = await check({ PORT: 'abc' });
    assert.deepEqual(
      [wrong.code, wrong.output],
      [1, 'PORT vale "abc": escreva um número de 0 a 65535, como PORT=3000.'],
    );
    assert.match((await check({}, '--all')).output, /^Escreva assim: npm run check/);
  });
});

type Line = [mark: string, subject: string, text: string];

const textOf = (lines: Line[], subject: string) => lines.find(([, name]) => name === subject)?.[2] ?? '';

async function check(settings: Record<string, string>, ...args: string[]) {
  const { promise, resolve } = Promise.withResolvers<{ code: number; output: string }>();
  execFile(
    process.execPath,
    [path.join(import.meta.dirname, 'check.ts'), ...args],
    { env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings } },
    (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: (stdout + stderr).trim() }),
  );
  const { code, output } = await promise;
  const lines = output.split('\n').flatMap((line): Line[] => {
    const [, mark = '', subject = '', text = ''] = /^(ok|veja|\?) +([^:]+): (.*)$/.exec(line) ?? [];
    return mark === '' ? [] : [[mark, subject, text]];
  });
  return { code, output, lines };
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-check-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
