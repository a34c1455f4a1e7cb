import assert from 'node:assert/strict';
import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { readEnvironment } from '../../environment.ts';
import { sampleActivity } from '../../testing/samples.ts';
import { connect, migrate } from '../connect.ts';
import { recoverSqlite } from './recover.ts';

const pageBytes = 4_096;
const activities = 600;

/** Makes the database of a site with many users and activities. */
async function makeDatabase(t: TestContext) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-recover-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const environment = readEnvironment({ DATA_DIR: dataDir });
  const database = connect(environment);
  await migrate(database);
  const { audio, ...sample } = sampleActivity({ content: 'Note o ar que entra. '.repeat(40) });
  await database.transaction().execute(async (transaction) => {
    for (let number = 0; number < activities; number += 1)
      await transaction
        .insertInto('activities')
        .values({
          ...{ ...sample, audio: audio ?? '', id: `a${number}`, list: 'mindActsList', position: number },
          ...{ createdAt: 1, updatedAt: 1, updatedBy: null, audioSeconds: null },
        } as never)
        .execute();
  });
  await database.destroy();
  return { dataDir, environment, file: path.join(dataDir, 'acolhe.sqlite') };
}

/** Overwrites pages with zeros. @param pages their numbers, from 1 */
async function destroyPages(file: string, pages: number[]) {
  const handle = await open(file, 'r+');
  for (const page of pages) await handle.write(Buffer.alloc(pageBytes), 0, pageBytes, (page - 1) * pageBytes);
  await handle.close();
}

/** Returns the numbers of the pages of a table. */
function pagesOf(file: string, table: string): { page: number; isLeaf: boolean }[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database
    .prepare(`select pageno, pagetype from dbstat where name = ? order by path`)
    .all(table)
    .map(({ pageno, pagetype }) => ({ page: Number(pageno), isLeaf: pagetype === 'leaf' }));
  database.close();
  return rows;
}

describe('the recovery of a damaged SQLite database', () => {
  it('copies the rows on both sides of damaged pages, and keeps the damaged database', async (t) => {
    const { environment, dataDir, file } = await makeDatabase(t);
    const leaves = pagesOf(file, 'activities').filter(({ isLeaf }) => isLeaf);
    assert.ok(leaves.length > 100);
    const destroyed = [10, 11, 60, leaves.length - 1].map((index) => leaves[index]?.page ?? 0);
    await destroyPages(file, destroyed);
    const { size } = await stat(file);

    const { kept, rows, damaged } = await recoverSqlite(environment);
    assert.deepEqual(damaged, ['activities']);
    const recovered = rows.get('activities') ?? 0;
    // A page has room for four of these activities.
    assert.ok(recovered >= activities - 4 * destroyed.length && recovered < activities, String(recovered));
    assert.equal((await stat(path.join(dataDir, kept, 'acolhe.sqlite'))).size, size);
    assert.deepEqual((await readdir(dataDir)).sort(), ['acolhe.sqlite', kept]);

    const whole = new DatabaseSync(file);
    t.after(() => whole.close());
    assert.equal(whole.prepare('pragma integrity_check').get()?.integrity_check, 'ok');
    const { n } = whole.prepare('select count(*) as n from activities').get() ?? {};
    assert.equal(n, recovered);
    assert.equal(whole.prepare('select count(*) as n from "siteState"').get()?.n, 1);
    await assert.rejects(recoverSqlite(environment), /está inteiro: não há o que recuperar/);
  });

  it('goes on without a table whose root page is damaged', async (t) => {
    const { environment, file } = await makeDatabase(t);
    for (const table of ['siteState', 'sessions'])
      await destroyPages(
        file,
        pagesOf(file, table).map(({ page }) => page),
      );
    const { rows, damaged } = await recoverSqlite(environment);
    assert.equal(rows.get('activities'), activities);
    assert.deepEqual(damaged.sort(), ['sessions', 'siteState']);
    const whole = new DatabaseSync(file);
    t.after(() => whole.close());
    assert.equal(whole.prepare('select count(*) as n from "siteState"').get()?.n, 1);
  });

  it('changes nothing if the beginning of the file is destroyed', async (t) => {
    const { environment, dataDir, file } = await makeDatabase(t);
    await destroyPages(file, [1]);
    await assert.rejects(recoverSqlite(environment), /O começo do banco de dados está destruído.*backup/);
    assert.deepEqual(await readdir(dataDir), ['acolhe.sqlite']);
  });
});
