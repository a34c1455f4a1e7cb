import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Kysely, sql } from 'kysely';
import { startServerProcess } from '../testing/server-process.ts';
import { until } from '../testing/until.ts';
import { connect, migrate } from './connect.ts';
import { sqliteFileIn } from './installation/data-folder.ts';
import { migrations } from './migrations/migrations.ts';
import { createSqliteDialect } from './sqlite.ts';

const names = Object.keys(migrations).sort();

const open = (file: string) => new Kysely<unknown>({ dialect: createSqliteDialect(file, false) });

/** Makes a data folder whose database lacks the last migration and has one subscriber. */
async function folderOfOlderVersion(t: TestContext): Promise<string> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-copy-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const database = connect({ dataDir, databaseUrl: undefined });
  await migrate(database, names.at(-2));
  await sql`insert into "newsletterSubscribers" (id, email, "consentedAt", "confirmedAt", "mailedAt")
    values ('1', 'ana@exemplo.com.br', 1, 1, 1)`.execute(database);
  await database.destroy();
  return dataDir;
}

async function migrationsIn(file: string): Promise<string[]> {
  const database = open(file);
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    database,
  );
  const subscribers = await sql<{ email: string }>`select email from "newsletterSubscribers"`.execute(
    database,
  );
  await database.destroy();
  assert.deepEqual(
    subscribers.rows.map(({ email }) => email),
    ['ana@exemplo.com.br'],
  );
  return rows.map(({ name }) => name);
}

const copiesIn = async (dataDir: string) =>
  (await readdir(dataDir)).filter((name) => name.startsWith('before-')).sort();

describe('a start that migrates SQLite', { concurrency: true }, () => {
  it('keeps a copy of the database from before the migration', async (t) => {
    const dataDir = await folderOfOlderVersion(t);
    const server = await startServerProcess(dataDir);
    await server.stop();
    const name = `before-${names.at(-1)}.sqlite`;
    assert.deepEqual(await copiesIn(dataDir), [name]);
    assert.match(server.log(), new RegExp(`Cópia do banco de dados antes da atualização: ${name}`));
    const copy = path.join(dataDir, name);
    assert.equal((await stat(copy)).mode & 0o777, 0o600);
    assert.deepEqual(await migrationsIn(copy), names.slice(0, -1));
    assert.deepEqual(await migrationsIn(sqliteFileIn(dataDir)), names);
  });

  it('keeps the newest two copies', async (t) => {
    const dataDir = await folderOfOlderVersion(t);
    for (const older of [
      'before-003-attempts.sqlite',
      'before-012-activity-editor.sqlite',
      'before-note.txt',
    ])
      await writeFile(path.join(dataDir, older), '');
    await (await startServerProcess(dataDir)).stop();
    assert.deepEqual(await copiesIn(dataDir), [
      'before-012-activity-editor.sqlite',
      `before-${names.at(-1)}.sqlite`,
      'before-note.txt',
    ]);
  });

  it('replaces an unfinished copy that a crash has left', async (t) => {
    const dataDir = await folderOfOlderVersion(t);
    const name = `before-${names.at(-1)}.sqlite`;
    await writeFile(path.join(dataDir, `${name}.unfinished`), 'half');
    await (await startServerProcess(dataDir)).stop();
    assert.deepEqual(await copiesIn(dataDir), [name]);
    assert.deepEqual(await migrationsIn(path.join(dataDir, name)), names.slice(0, -1));
  });

  it('changes nothing when the copy cannot be written', async (t) => {
    const dataDir = await folderOfOlderVersion(t);
    // Makes a folder that is not empty and has the name that the copy needs.
    await mkdir(path.join(dataDir, `before-${names.at(-1)}.sqlite`, 'x'), { recursive: true });
    await assert.rejects(
      startServerProcess(dataDir),
      /não foi possível gravar uma cópia dele.*Nada foi mudado.*espaço no disco e permissão/s,
    );
    assert.deepEqual(await migrationsIn(sqliteFileIn(dataDir)), names.slice(0, -1));
  });
});

it('a start deletes copies of a month ago, also unfinished ones', async (t) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-copy-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  for (const [name, days] of [
    ['before-012-activity-editor.sqlite', 29],
    ['before-011-latest-at-the-end.sqlite', 31],
    ['before-003-attempts.sqlite.unfinished', 31],
    ['before-note.txt', 31],
  ] as const) {
    await writeFile(path.join(dataDir, name), '');
    const written = new Date(Date.now() - days * 24 * 60 * 60_000);
    await utimes(path.join(dataDir, name), written, written);
  }
  const server = await startServerProcess(dataDir);
  t.after(() => server.kill());
  await until(async () => (await copiesIn(dataDir)).length === 2);
  assert.deepEqual(await copiesIn(dataDir), ['before-012-activity-editor.sqlite', 'before-note.txt']);
  await server.stop();
});

it('a first start, and a start of a current database, make no copy', async (t) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-copy-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  for (let start = 0; start < 2; start += 1) await (await startServerProcess(dataDir)).stop();
  assert.deepEqual(await copiesIn(dataDir), []);
});
