import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { connect } from '../database/connect.ts';
import { createEmptyPostgres } from '../testing/databases.ts';
import {
  createSite,
  digestsOf,
  hashesIn,
  openingOf,
  runMove,
  type Settings,
  startAgain,
  startSmallSite,
  temporaryFolder,
  validPlaces,
  visit,
} from '../testing/moves.ts';
import { type SwiftServer, s3Environment, startSwift } from '../testing/peers/swift.ts';
import { until } from '../testing/until.ts';

let swift: SwiftServer;
before(async () => {
  swift = await startSwift();
});
after(() => swift.remove());

it('SQLite → PostgreSQL → SQLite and disk → S3 → disk: equal per-table digests and file hashes, and sessions are still open after a move', async (t) => {
  const bucket = await swift.addBucket();
  const s3 = s3Environment(bucket);
  const DATA_DIR = await temporaryFolder(t);
  const url = await createEmptyPostgres();
  const onDisk: Settings = { DATA_DIR };

  const site = await startSmallSite(t, onDisk);
  const AUTH_SECRET = await readFile(path.join(DATA_DIR, 'auth-secret'), 'utf8');
  const onServers: Settings = { DATA_DIR, DATABASE_URL: url, AUTH_SECRET, ...s3 };
  const { port } = site.server;
  const whole = { session: 200, files: site.files };
  assert.deepEqual(await visit(site.server, site), whole);
  await site.server.stop();
  const hashes = await hashesIn(path.join(DATA_DIR, 'files'));
  const digests = await digestsOf(onDisk);
  assert.ok((digests.users?.rows ?? 0) === 2 && (digests.sessions?.rows ?? 0) >= 2);

  const there = await runMove({ ...onDisk, ...s3 }, '--to-database', url, '--to-s3');
  assert.equal(there.code, 0, there.output);
  assert.match(there.output, /^Pronto: o site foi mudado\. Tudo foi copiado e conferido: \d+ linhas/);
  assert.match(there.output, /escreva em DATABASE_URL o endereço/);
  assert.match(there.output, /as mesmas variáveis S3_\* desta mudança \(S3_BUCKET=arquivos-\w+\)/);
  assert.match(there.output, /escreva em AUTH_SECRET o conteúdo de \/\S+\/auth-secret;/);
  assert.doesNotMatch(there.output, /segredo/);
  assert.deepEqual(await digestsOf(onServers), digests);
  assert.match(await openingOf(onDisk), /^refused: O site foi mudado da pasta de dados/);
  const left = await readdir(DATA_DIR);
  assert.equal(left.filter((name) => /^(?:acolhe|files|uploads)\.moved-/.test(name)).length, 3);
  assert.deepEqual(
    left.filter((name) => ['acolhe.sqlite', 'files', 'uploads', 'move.json'].includes(name)),
    [],
  );
  const old = left.find((name) => name.startsWith('acolhe.moved-')) ?? '';
  assert.equal((await stat(path.join(DATA_DIR, old))).mode & 0o777, 0o600);

  const second = await startAgain(t, { ...onServers, PORT: port });
  assert.deepEqual(await visit(second, site), whole);
  await second.stop();
  const between = await digestsOf(onServers);

  const back = await runMove(onServers, '--to-sqlite', '--to-disk');
  assert.equal(back.code, 0, back.output);
  assert.match(back.output, /tire DATABASE_URL/);
  assert.match(back.output, /tire todas as variáveis S3_\*/);
  assert.match(back.output, /continuam no bucket arquivos-/);
  assert.deepEqual(await digestsOf(onDisk), between);
  assert.deepEqual(await hashesIn(path.join(DATA_DIR, 'files')), hashes);
  assert.match(await openingOf(onServers), /^refused: O site foi mudado deste banco de dados/);
  const third = await startAgain(t, { ...onDisk, PORT: port });
  assert.deepEqual(await visit(third, site), whole);
  await third.stop();
  assert.equal(existsSync(path.join(DATA_DIR, 'move.json')), false);
});

it('the parts of unfinished uploads are removed from the store after a move, and the site can move back to an old PostgreSQL database', async (t) => {
  const url = await createEmptyPostgres();
  const onPostgres: Settings = { DATA_DIR: await temporaryFolder(t), DATABASE_URL: url };
  const onSqlite = { DATA_DIR: onPostgres.DATA_DIR };
  const site = await startSmallSite(t, onPostgres);
  await site.server.stop();
  const parts = () => readdir(path.join(onSqlite.DATA_DIR, 'uploads'));
  assert.equal((await parts()).length, 1);
  for (const args of [['--to-sqlite'], ['--to-database', url]]) {
    const { code, output } = await runMove(args[0] === '--to-sqlite' ? onPostgres : onSqlite, ...args);
    assert.equal(code, 0, output);
  }
  const server = await startAgain(t, { ...onPostgres, PORT: site.server.port });
  await until(async () => (await parts()).length === 0);
  assert.deepEqual(await visit(server, site), { session: 200, files: site.files });
  const database = connect({ databaseUrl: url, dataDir: '' });
  t.after(() => database.destroy());
  const { rows } = await sql`select 1 from pg_namespace where nspname like 'acolhe_moved_%'`.execute(
    database,
  );
  assert.equal(rows.length, 1);
});

it('PostgreSQL → another PostgreSQL: equal per-table digests, and the old one is then refused', async (t) => {
  const { settings } = await createSite(t, 'postgres');
  const digests = await digestsOf(settings);
  const next = { ...settings, DATABASE_URL: await createEmptyPostgres() };
  const { code, output } = await runMove(settings, '--to-database', next.DATABASE_URL);
  assert.equal(code, 0, output);
  assert.deepEqual(await validPlaces(settings, next), ['new']);
  assert.deepEqual(await digestsOf(next), digests);
});

it('a site can move to a PostgreSQL database on which a server in another folder has started', async (t) => {
  const { settings } = await createSite(t, 'sqlite');
  const next = { ...settings, DATABASE_URL: await createEmptyPostgres() };
  const inAnotherFolder = { ...next, DATA_DIR: await temporaryFolder(t) };
  assert.equal(await openingOf(inAnotherFolder), 'accepted');
  const { code, output } = await runMove(settings, '--to-database', next.DATABASE_URL);
  assert.equal(code, 0, output);
  assert.match(await openingOf(inAnotherFolder), /^refused: .*em outra pasta de dados/);
  assert.equal(await openingOf(next), 'accepted');
});

for (const kind of ['sqlite', 'postgres'] as const)
  it(`files alone move to S3 and back, with rows on ${kind}; the other place is then refused`, async (t) => {
    const s3 = s3Environment(await swift.addBucket());
    const site = await createSite(t, kind);
    await site.addFiles(3);
    const [onDisk, onS3] = [site.settings, { ...site.settings, ...s3 }];
    const hashes = await hashesIn(path.join(onDisk.DATA_DIR, 'files'));
    const digests = await digestsOf(onDisk);
    const there = await runMove(onS3, '--to-s3');
    assert.equal(there.code, 0, there.output);
    assert.equal(await openingOf(onS3), 'accepted');
    assert.match(await openingOf(onDisk), /^refused: Os arquivos deste site estão no S3/);
    assert.match((await runMove(onS3, '--to-s3')).output, /já estão no S3\. Nada foi mudado\.$/);
    const back = await runMove(onS3, '--to-disk');
    assert.equal(back.code, 0, back.output);
    assert.deepEqual(await hashesIn(path.join(onDisk.DATA_DIR, 'files')), hashes);
    assert.deepEqual(await digestsOf(onDisk), digests);
    assert.match(await openingOf(onS3), /^refused: Os arquivos deste site estão na pasta de dados/);
    if (kind === 'postgres')
      assert.match(
        await openingOf({ ...onDisk, DATA_DIR: await temporaryFolder(t) }),
        /^refused: .*em outra pasta de dados/,
      );
    assert.equal(await openingOf(onDisk), 'accepted');
  });

it('the SQL of docs/move.md puts the old tables of PostgreSQL back', async (t) => {
  const { settings } = await createSite(t, 'postgres');
  const digests = await digestsOf(settings);
  const { code, output } = await runMove(settings, '--to-sqlite');
  assert.equal(code, 0, output);
  const [, statements = ''] =
    /```sql\n(.*?)```/s.exec(readFileSync(path.join(import.meta.dirname, '../../docs/move.md'), 'utf8')) ??
    [];
  const schema = /no esquema (\w+)/.exec(output)?.[1] ?? '';
  const database = connect({ databaseUrl: settings.DATABASE_URL, dataDir: '' });
  t.after(() => database.destroy());
  await sql.raw(statements.replace('acolhe_moved_20261122_143000', schema)).execute(database);
  assert.equal(await openingOf(settings), 'accepted');
  assert.deepEqual(await digestsOf(settings), digests);
});
