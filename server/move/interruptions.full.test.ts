import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { createEmptyPostgres } from '../testing/databases.ts';
import {
  createSite,
  digestsOf,
  endHeartbeat,
  hashesIn,
  openingOf,
  runMove,
  type Settings,
  startSmallSite,
  temporaryFolder,
  validPlaces,
} from '../testing/moves.ts';
import { startBreakingNetwork } from '../testing/peers/breaking-network.ts';
import { sampleActivity } from '../testing/samples.ts';
import { mp3, storageOf } from '../testing/storage.ts';
import { until } from '../testing/until.ts';

describe('an interrupted move', { concurrency: 2 }, () => {
  for (const from of ['sqlite', 'postgres'] as const)
    for (const when of ['before', 'after'] as const)
      it(`from ${from}, broken ${when} the commit of PostgreSQL: one place is valid, and the same command completes the move`, async (t) => {
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
        // PostgreSQL releases the lock of the move a moment after its connection has ended.
        await until(async () => !/está em andamento/.test(await openingOf(old)));
        // An old PostgreSQL database is closed once its commit succeeds. An old SQLite database stays open
        // until its file is renamed.
        const isClosed = from === 'postgres' && when === 'after';
        assert.deepEqual(await validPlaces(old, next), isClosed ? ['new'] : ['old']);
        const again = await runMove(old, ...args);
        assert.equal(again.code, 0, again.output);
        assert.deepEqual(await validPlaces(old, next), ['new']);
        assert.deepEqual(await digestsOf(next), digests);
        assert.equal(existsSync(path.join(onSqlite.DATA_DIR, 'move.json')), false);
      });

  it('that only has to tidy up is completed by the same command, and not by another one', async (t) => {
    const site = await createSite(t, 'sqlite');
    const url = await createEmptyPostgres();
    const network = await startBreakingNetwork(t, Number(new URL(url).port), 'after');
    const through = Object.assign(new URL(url), { port: String(network.port) }).href;
    // Simulates a process that is killed after the copy, when it has just renamed the old file.
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
    const elsewhere = { ...next, DATA_DIR: await temporaryFolder(t) };
    assert.match(await openingOf(elsewhere), /^refused: A mudança .* não terminou/);
    const same = await runMove(site.settings, '--to-database', through);
    assert.equal(same.code, 0, same.output);
    assert.match(same.output, /A mudança que tinha sido interrompida terminou\./);
    assert.equal(await openingOf(next), 'accepted');
    assert.match(await openingOf(elsewhere), /^refused: Os arquivos deste site estão em outra pasta/);
  });
});

describe('a server that was suspended during a move', () => {
  it('writes nothing to the old database after it continues', async (t) => {
    const url = await createEmptyPostgres();
    const settings: Settings = { DATA_DIR: await temporaryFolder(t), DATABASE_URL: url };
    const { server, admin } = await startSmallSite(t, settings);
    process.kill(server.pid, 'SIGSTOP');
    await endHeartbeat(t, url);
    // The server still has the lock of its folder, so only a move on another machine can begin.
    const here = { DATA_DIR: await temporaryFolder(t) };
    await cp(settings.DATA_DIR, here.DATA_DIR, { recursive: true });
    const { code, output } = await runMove({ ...settings, ...here }, '--to-sqlite');
    assert.equal(code, 0, output);
    const schema = /no esquema (\w+)/.exec(output)?.[1] ?? '';
    const old = { ...settings, DATABASE_URL: `${url}?options=-c%20search_path%3D${schema}` };
    const [before, after] = [await digestsOf(old), await digestsOf(here)];
    // The new database also names the part of the unfinished upload, so that the server removes this part.
    assert.equal(after.discardedContents?.rows, 1);
    assert.deepEqual({ ...before, discardedContents: undefined }, { ...after, discardedContents: undefined });
    const files = await hashesIn(path.join(settings.DATA_DIR, 'files'));

    process.kill(server.pid, 'SIGCONT');
    await assert.rejects(admin.client.documents.createActivity(sampleActivity()));
    const upload = await storageOf(admin)
      .send('postAudios/mind/outro', mp3(50_000))
      .catch(() => undefined);
    assert.ok(!upload?.ok);
    assert.equal((await fetch(`${server.url}/readyz`)).status, 503);
    assert.deepEqual(await digestsOf(old), before);
    assert.deepEqual(await digestsOf(here), after);
    assert.deepEqual(await hashesIn(path.join(settings.DATA_DIR, 'files')), files);
  });
});
