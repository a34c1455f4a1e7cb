import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, open as openFile, openSync } from 'node:fs';
import path from 'node:path';
import { it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createTestDatabase } from '../testing/databases.ts';
import { connect, type Database } from './connect.ts';
import { withoutSync } from './log-sync.ts';

/** The size of Node's thread pool, which runs file operations. The default is 4. */
const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4);

async function openServerDatabase(t: TestContext) {
  const place = await createTestDatabase('sqlite');
  const database = connect(place, { isServer: true });
  const pipe = path.join(place.dataDir, 'pipe');
  let opened: Promise<number>[] = [];

  function letSyncsEnd() {
    if (opened.length === 0) return;
    const other = openSync(pipe, 'r+');
    void Promise.all(opened).then((descriptors) => {
      for (const descriptor of [...descriptors, other]) closeSync(descriptor);
    });
    opened = [];
  }

  t.after(async () => {
    letSyncsEnd();
    await database.destroy();
    await place.remove();
  });
  // Opens the log, so that later syncs do not have to open it.
  await insert(database, 'first');
  return {
    database,
    /**
     * Keeps all threads of Node's thread pool busy, so that no sync can finish. Opening a pipe blocks a
     * thread until the other end of the pipe is opened.
     */
    holdSyncs() {
      assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
      opened = Array.from({ length: threads }, () => promisify(openFile)(pipe, 'r'));
    },
    letSyncsEnd,
  };
}

const insert = (database: Database, hash: string) =>
  database.insertInto('deletedAccounts').values({ hash }).execute();

function watch(work: Promise<unknown>) {
  const state = { settled: false, work };
  void work.finally(() => {
    state.settled = true;
  });
  return state;
}

it('a write is acknowledged after its sync; meanwhile reads and unsynced writes go on', async (t) => {
  const { database, holdSyncs, letSyncsEnd } = await openServerDatabase(t);
  holdSyncs();
  const single = watch(insert(database, 'a'));
  const transaction = watch(
    database.transaction().execute(async (on) => {
      await insert(on, 'b');
      return insert(on, 'c');
    }),
  );
  await withoutSync(() => insert(database, 'd'));
  const rows = await database.selectFrom('deletedAccounts').select('hash').execute();
  assert.deepEqual(rows.map(({ hash }) => hash).sort(), ['a', 'b', 'c', 'd', 'first']);
  for (let turn = 0; turn < 100; turn += 1) await nextTurn();
  assert.deepEqual([single.settled, transaction.settled], [false, false]);
  letSyncsEnd();
  await Promise.all([single.work, transaction.work]);
});

it('a write that begins during a sync waits for the next one', async (t) => {
  const { database, holdSyncs, letSyncsEnd } = await openServerDatabase(t);
  holdSyncs();
  const first = insert(database, 'a');
  // The sync of the first insert now waits for a thread.
  await nextTurn();
  const second = watch(insert(database, 'b'));
  letSyncsEnd();
  await first;
  assert.equal(second.settled, false);
  await second.work;
});

it('a transaction that fails, and one that only reads, wait for nothing', async (t) => {
  const { database, holdSyncs } = await openServerDatabase(t);
  holdSyncs();
  await assert.rejects(
    database.transaction().execute(async (on) => {
      await insert(on, 'a');
      throw new Error('undone');
    }),
    /undone/,
  );
  await database.transaction().execute((on) => on.selectFrom('users').select('id').execute());
  const rows = await database.selectFrom('deletedAccounts').select('hash').execute();
  assert.deepEqual(
    rows.map(({ hash }) => hash),
    ['first'],
  );
});

it('callers get the connection one after another, and none sees half of a transaction', async (t) => {
  const { database } = await openServerDatabase(t);
  const counts = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      index % 2 === 0
        ? database.transaction().execute(async (on) => {
            await insert(on, `even-${index}`);
            await nextTurn();
            await insert(on, `odd-${index}`);
            return 0;
          })
        : database
            .selectFrom('deletedAccounts')
            .select('hash')
            .execute()
            .then((rows) => rows.length - 1),
    ),
  );
  assert.deepEqual(
    counts.filter((count) => count % 2 !== 0),
    [],
  );
});
