import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { paths } from '#contract/paths.ts';
import { connect } from '../database/connect.ts';
import { startBreakingNetwork } from '../testing/breaking-network.ts';
import { createEmptyPostgres } from '../testing/databases.ts';
import {
  createSite,
  digestsOf,
  hashesIn,
  openingOf,
  runMove,
  type Settings,
  spawnMove,
  startSmallSite,
  temporaryFolder,
  validPlaces,
} from '../testing/moves.ts';
import { sampleActivity } from '../testing/server.ts';
import { mp3, storageOf } from '../testing/storage.ts';
import { listObjects, type SwiftServer, s3Environment, startSwift } from '../testing/swift.ts';
import { until } from '../testing/until.ts';

let swift: SwiftServer;
before(async () => {
  swift = await startSwift();
});
after(() => swift.remove());

describe('an interrupted move', { concurrency: 2 }, () => {
  for (const from of ['sqlite', 'postgres'] as const)
    for (const when of ['before', 'after'] as const)
      it(`from ${from}, broken ${when} the commit of PostgreSQL: one place is valid, and the same command ends the move`, async (t) => {
        const site = await createSite(t, from);
        const digests = await digestsOf(site.settings);
        const postgres = site.settings.DATABASE_URL ?? (await createEmptyPostgres());
        const network = await startBreakingNetwork(t, Number(new URL(postgres).port), when);
        const url = Object.assign(new URL(postgres), { port: String(network.port) }).href;
        const { DATABASE_URL: _, ...onSqlite } = { ...site.settings, DATABASE_URL: url };
        const onPostgres = { ...onSqlite, DATABASE_URL: url };
        const [old, next] = from === 'sqlite' ? [onSqlite, onPostgres] : [onPostgres, onSqlite];
        const args = from === 'sqlite' ? ['--to-database', url] : ['--to-sqlite'];

        const { code, output } = await runMove(old, ...args);
        assert.equal(code, 1, output);
        assert.ok(network.hasBroken());
        assert.doesNotMatch(output, /\n\s+at /);
        // Only PostgreSQL's commit closes an old PostgreSQL database; SQLite's file still has its name.
        const isClosed = from === 'postgres' && when === 'after';
        assert.deepEqual(await validPlaces(old, next), isClosed ? ['new'] : ['old']);
        const again = await runMove(old, ...args);
        assert.equal(again.code, 0, again.output);
        assert.deepEqual(await validPlaces(old, next), ['new']);
        assert.deepEqual(await digestsOf(next), digests);
        assert.equal(existsSync(path.join(onSqlite.DATA_DIR, 'move.json')), false);
      });

  it('by Ctrl+C or kill -9 leaves the old place as it was, and goes on with the same command', async (t) => {
    const site = await createSite(t, 'sqlite');
    await site.addFiles(60);
    const url = await createEmptyPostgres();
    const settings = { ...site.settings, ...s3Environment(await swift.addBucket()) };
    const states = [await digestsOf(settings), await hashesIn(path.join(settings.DATA_DIR, 'files'))];
    const begunAt = () =>
      statSync(path.join(settings.DATA_DIR, 'move.json'), { throwIfNoEntry: false })?.mtimeMs;
    let begun = begunAt();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
      const move = spawnMove(settings, '--to-database', url, '--to-s3');
      await until(async () => begunAt() !== begun || !move.isRunning());
      begun = begunAt();
      move.kill(signal);
      const { code, output } = await move.ended;
      assert.equal(code, { SIGINT: 130, SIGTERM: 143, SIGKILL: null }[signal]);
      if (signal !== 'SIGKILL') assert.match(output, /Interrompido\. O site continua no lugar antigo, como/);
      assert.deepEqual(
        [await digestsOf(settings), await hashesIn(path.join(settings.DATA_DIR, 'files'))],
        states,
      );
      assert.equal(await openingOf(site.settings), 'accepted');
    }
    const { code, output } = await runMove(settings, '--to-database', url, '--to-s3');
    assert.equal(code, 0, output);
    assert.deepEqual(await digestsOf({ ...settings, DATABASE_URL: url }), states[0]);
  });

  it('that only has to tidy up ends with the same command, and not with another one', async (t) => {
    const site = await createSite(t, 'sqlite');
    const url = await createEmptyPostgres();
    const network = await startBreakingNetwork(t, Number(new URL(url).port), 'after');
    const through = Object.assign(new URL(url), { port: String(network.port) }).href;
    // The copy is complete; the old file gets its new name, and then the process is killed.
    assert.equal((await runMove(site.settings, '--to-database', through)).code, 1);
    const journal = readFileSync(path.join(site.settings.DATA_DIR, 'move.json'), 'utf8');
    const { stamp } = JSON.parse(journal) as { stamp: string };
    const file = path.join(site.settings.DATA_DIR, 'acolhe.sqlite');
    renameSync(file, path.join(site.settings.DATA_DIR, `acolhe.moved-${stamp}.sqlite`));
    const next = { ...site.settings, DATABASE_URL: through };

    const other = await runMove(next, '--to-database', await createEmptyPostgres());
    assert.equal(other.code, 1);
    assert.match(other.output, /^Uma mudança anterior \(de sqlite para postgres:.* Nada foi mudado\./);
    // Another machine cannot know whether the old place is closed.
    const elsewhere = { DATA_DIR: await temporaryFolder(t), DATABASE_URL: through };
    assert.match(await openingOf(elsewhere), /^refused: A mudança .* não terminou/);
    const same = await runMove(site.settings, '--to-database', through);
    assert.equal(same.code, 0, same.output);
    assert.match(same.output, /A mudança que tinha sido interrompida terminou\./);
    assert.equal(await openingOf(next), 'accepted');
    assert.equal(await openingOf(elsewhere), 'accepted');
  });
});

describe('a server that stood still during a move', () => {
  it('writes nothing to the old database after it wakes up', async (t) => {
    const url = await createEmptyPostgres();
    const settings: Settings = { DATA_DIR: await temporaryFolder(t), DATABASE_URL: url };
    const { server, admin } = await startSmallSite(t, settings);
    process.kill(server.pid, 'SIGSTOP');
    await endHeartbeat(t, url);
    const { code, output } = await runMove(settings, '--to-sqlite');
    assert.equal(code, 0, output);
    const schema = /no esquema (\w+)/.exec(output)?.[1] ?? '';
    const old = { ...settings, DATABASE_URL: `${url}?options=-c%20search_path%3D${schema}` };
    const [there, here] = [await digestsOf(old), await digestsOf({ DATA_DIR: settings.DATA_DIR })];
    // The new database also names the part of the unfinished upload, so that it is removed.
    assert.equal(here.discardedContents?.rows, 1);
    assert.deepEqual({ ...there, discardedContents: undefined }, { ...here, discardedContents: undefined });
    const files = await hashesIn(path.join(settings.DATA_DIR, 'files'));

    process.kill(server.pid, 'SIGCONT');
    await assert.rejects(admin.client.documents.createActivity(sampleActivity()));
    const upload = await storageOf(admin)
      .send('postAudios/mind/outro', mp3(50_000))
      .catch(() => undefined);
    assert.ok(!upload?.ok);
    assert.equal((await fetch(`${server.url}/readyz`)).status, 503);
    assert.deepEqual(await digestsOf(old), there);
    assert.deepEqual(await digestsOf({ DATA_DIR: settings.DATA_DIR }), here);
    assert.deepEqual(await hashesIn(path.join(settings.DATA_DIR, 'files')), files);
  });

  it('stores no file in the old bucket, and removes none there, after it wakes up', async (t) => {
    const bucket = await swift.addBucket();
    const url = await createEmptyPostgres();
    const onDisk: Settings = { DATA_DIR: await temporaryFolder(t), DATABASE_URL: url };
    const onS3 = { ...onDisk, ...s3Environment(bucket) };
    const { server, admin } = await startSmallSite(t, onS3);
    process.kill(server.pid, 'SIGSTOP');
    await endHeartbeat(t, url);
    const { code, output } = await runMove(onS3, '--to-disk');
    assert.equal(code, 0, output);
    const objects = await listObjects(bucket);

    process.kill(server.pid, 'SIGCONT');
    const storage = storageOf(admin);
    assert.equal((await storage.send('postAudios/mind/outro', mp3(50_000))).status, 503);
    const removed = await storage.call(paths.storage.object('postAudios/mind/som'), { method: 'DELETE' });
    assert.equal(removed.status, 204);
    assert.deepEqual(await listObjects(bucket), objects);
    // The database is still the same: the next server removes the content from the new place.
    const database = connect({ databaseUrl: url, dataDir: '' });
    t.after(() => database.destroy());
    const rows = await database.selectFrom('discardedContents').select('key').execute();
    assert.equal(rows.length, 1);
  });
});

/** Makes the row of a server as old as if the server had stood still for longer than a minute. */
async function endHeartbeat(t: TestContext, url: string): Promise<void> {
  const database = connect({ databaseUrl: url, dataDir: '' });
  t.after(() => database.destroy());
  await sql`update instances set "seenAt" = "seenAt" - 60000`.execute(database);
}
