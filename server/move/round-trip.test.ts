import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { sql } from 'kysely';
import { connect } from '../database/connect.ts';
import { createEmptyPostgres } from '../testing/databases.ts';
import {
  digestsOf,
  hashesIn,
  openingOf,
  runMove,
  type Settings,
  startAgain,
  startSmallSite,
  temporaryFolder,
  visit,
} from '../testing/moves.ts';
import { s3Environment, startSwift } from '../testing/swift.ts';
import { until } from '../testing/until.ts';

it('SQLite → PostgreSQL → SQLite and disk → S3 → disk: equal per-table digests and file hashes, and sessions are still open after a move', async (t) => {
  const swift = await startSwift();
  t.after(() => swift.remove());
  const s3 = s3Environment(swift);
  const DATA_DIR = await temporaryFolder(t);
  const url = await createEmptyPostgres();
  const onDisk: Settings = { DATA_DIR };
  const onServers: Settings = { DATA_DIR, DATABASE_URL: url, ...s3 };

  const site = await startSmallSite(t, onDisk);
  const { port } = site.server;
  const whole = { session: 200, files: site.files };
  assert.deepEqual(await visit(site.server, site), whole);
  await site.server.stop();
  const hashes = await hashesIn(path.join(DATA_DIR, 'files'));
  const before = await digestsOf(onDisk);
  assert.ok((before.users?.rows ?? 0) === 2 && (before.sessions?.rows ?? 0) >= 2);

  const there = await runMove({ ...onDisk, ...s3 }, '--to-database', url, '--to-s3');
  assert.equal(there.code, 0, there.output);
  assert.match(there.output, /^Pronto: o site foi mudado\. Tudo foi copiado e conferido: \d+ linhas/);
  assert.match(there.output, /escreva em DATABASE_URL o endereço/);
  assert.match(there.output, /as mesmas variáveis S3_\* desta mudança \(S3_BUCKET=arquivos\)/);
  assert.match(there.output, /auth-secret/);
  assert.doesNotMatch(there.output, /segredo/);
  assert.deepEqual(await digestsOf(onServers), before);
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
  assert.match(back.output, /continuam no bucket arquivos/);
  assert.deepEqual(await digestsOf(onDisk), between);
  assert.deepEqual(await hashesIn(path.join(DATA_DIR, 'files')), hashes);
  assert.match(await openingOf(onServers), /^refused: O site foi mudado deste banco de dados/);
  const third = await startAgain(t, { ...onDisk, PORT: port });
  assert.deepEqual(await visit(third, site), whole);
  await third.stop();
  assert.equal(existsSync(path.join(DATA_DIR, 'move.json')), false);

  // The old PostgreSQL database can take the site again; the tables of the first time stay.
  const again = await runMove(onDisk, '--to-database', url);
  assert.equal(again.code, 0, again.output);
  assert.equal(await openingOf({ DATA_DIR, DATABASE_URL: url }), 'accepted');
  const database = connect({ databaseUrl: url, dataDir: '' });
  t.after(() => database.destroy());
  const { rows } = await sql`select 1 from pg_namespace where nspname like 'acolhe_moved_%'`.execute(
    database,
  );
  assert.equal(rows.length, 1);
});

it('the parts of unfinished uploads leave the store with the first clean-up after a move', async (t) => {
  const DATA_DIR = await temporaryFolder(t);
  const site = await startSmallSite(t, { DATA_DIR });
  await site.server.stop();
  const parts = () => readdir(path.join(DATA_DIR, 'uploads'));
  assert.equal((await parts()).length, 1);
  const url = await createEmptyPostgres();
  const { code, output } = await runMove({ DATA_DIR }, '--to-database', url);
  assert.equal(code, 0, output);
  const server = await startAgain(t, { DATA_DIR, DATABASE_URL: url, PORT: site.server.port });
  await until(async () => (await parts()).length === 0);
  assert.deepEqual(await visit(server, site), { session: 200, files: site.files });
});

it('files alone move to S3 and back; the other place is then refused', async (t) => {
  const swift = await startSwift();
  t.after(() => swift.remove());
  const s3 = s3Environment(swift);
  for (const url of [undefined, await createEmptyPostgres()]) {
    const DATA_DIR = await temporaryFolder(t);
    const onDisk: Settings = { DATA_DIR, ...(url && { DATABASE_URL: url }) };
    const onS3: Settings = { ...onDisk, ...s3 };
    const site = await startSmallSite(t, onDisk);
    await site.server.stop();
    const hashes = await hashesIn(path.join(DATA_DIR, 'files'));
    const before = await digestsOf(onDisk);
    const there = await runMove(onS3, '--to-s3');
    assert.equal(there.code, 0, there.output);
    assert.deepEqual(await digestsOf(onDisk), before);
    assert.match(await openingOf(onDisk), /^refused: Os arquivos deste site estão no S3/);
    assert.match((await runMove(onS3, '--to-s3')).output, /já estão no S3\. Nada foi mudado\.$/);
    const server = await startAgain(t, { ...onS3, PORT: site.server.port });
    assert.deepEqual(await visit(server, site), { session: 200, files: site.files });
    await server.stop();
    const back = await runMove(onS3, '--to-disk');
    assert.equal(back.code, 0, back.output);
    assert.deepEqual(await hashesIn(path.join(DATA_DIR, 'files')), hashes);
    assert.match(await openingOf(onS3), /^refused: Os arquivos deste site estão na pasta de dados/);
    assert.equal(await openingOf(onDisk), 'accepted');
    await swift.empty();
  }
});
