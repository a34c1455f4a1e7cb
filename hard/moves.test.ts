import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { appendFile, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { paths } from '#contract/paths.ts';
import { connect } from '#server/database/connect.ts';
import { createEmptyPostgres } from '#server/testing/databases.ts';
import {
  createSite,
  digestsOf,
  endHeartbeat,
  hashesIn,
  keyOf,
  openingOf,
  runMove,
  type Settings,
  spawnMove,
  startSmallSite,
  temporaryFolder,
  validPlaces,
} from '#server/testing/moves.ts';
import { listObjects, s3Environment, startSwift } from '#server/testing/peers/swift.ts';
import { mp3, storageOf } from '#server/testing/storage.ts';
import { until } from '#server/testing/until.ts';
import { report } from './figures.ts';
import { residentMegabytes, smallFileSystem } from './machine.ts';

const rounds = 25;
const users = 100_000;
const audioMegabytes = 200;
const mostMegabytes = 400;

for (const from of ['sqlite', 'postgres'] as const)
  it(`after a move from ${from} is killed at any of ${rounds} moments, one place is valid, and the move can be finished`, async (t) => {
    const args = async () =>
      from === 'sqlite' ? ['--to-database', await createEmptyPostgres()] : ['--to-sqlite'];
    /** Starts a move, and waits until it begins to copy. */
    const begin = async (settings: Settings, to: string[]) => {
      const move = spawnMove(settings, ...to);
      await until(async () => existsSync(path.join(settings.DATA_DIR, 'move.json')) || !move.isRunning());
      return move;
    };
    const whole = await begin((await createSite(t, from)).settings, await args());
    const began = performance.now();
    assert.equal((await whole.ended).code, 0);
    const copyMs = performance.now() - began;
    const found = { old: 0, new: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const { settings } = await createSite(t, from);
      const digests = await digestsOf(settings);
      const to = await args();
      const { DATABASE_URL: _, ...onSqlite } = settings;
      const next: Settings = from === 'sqlite' ? { ...settings, DATABASE_URL: to[1] ?? '' } : onSqlite;
      const move = await begin(settings, to);
      await wait((copyMs * round) / rounds);
      move.kill('SIGKILL');
      await move.ended;
      const [place, ...others] = await validPlaces(settings, next);
      assert.deepEqual(others, []);
      assert.ok(place === 'old' || place === 'new', move.output());
      found[place] += 1;
      if (place === 'old') assert.deepEqual(await digestsOf(settings), digests);
      const isTidy = place === 'new' && !existsSync(path.join(settings.DATA_DIR, 'move.json'));
      if (!isTidy) {
        const again = await runMove(settings, ...to);
        assert.equal(again.code, 0, again.output);
      }
      assert.deepEqual(await validPlaces(settings, next), ['new']);
      assert.deepEqual(await digestsOf(next), digests);
    }
    report(
      `a move from ${from} killed ${rounds} times`,
      `${found.old} × old, ${found.new} × new`,
      'one place',
    );
  });

it(`${users} users and a sound of ${audioMegabytes} MB move to PostgreSQL and S3 and back, with less than ${mostMegabytes} MiB of memory`, async (t) => {
  const swift = await startSwift();
  t.after(() => swift.remove());
  const site = await createSite(t, 'sqlite');
  await site.change(`with recursive n(i) as (select 10 union all select i + 1 from n where i < ${users})
    insert into users select 'g' || i, 'Pessoa ' || i, i || '@exemplo.com.br', 1, null,
      '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 'no', 0, 0, null, 'pessoa ' || i, 0, 0, 0, null from n`);
  await site.change(`insert into sessions select 's' || id, 't' || id, id, '2030-01-01T00:00:00.000Z', '::1',
    'Mozilla/5.0', "createdAt", "updatedAt", 0 from users`);
  await site.change(`insert into "wordMood" select id, '{"2026-01-01": "calma"}' from users`);
  await site.addFiles(1);
  const hash = await writeSound(path.join(site.settings.DATA_DIR, 'files', 'ab', keyOf(0)));
  await site.change(`update files set "sizeBytes" = ${audioMegabytes * 1_000_000},
    "storedBytes" = ${audioMegabytes * 1_000_000}, sha256 = '${hash}'`);
  const digests = await digestsOf(site.settings);
  const hashes = await hashesIn(path.join(site.settings.DATA_DIR, 'files'));
  const url = await createEmptyPostgres();
  const onServers = { ...site.settings, ...s3Environment(swift), DATABASE_URL: url };
  for (const [name, settings, args] of [
    [
      'to PostgreSQL and S3',
      { ...site.settings, ...s3Environment(swift) },
      ['--to-database', url, '--to-s3'],
    ],
    ['to SQLite and the disk', onServers, ['--to-sqlite', '--to-disk']],
  ] as const) {
    const began = performance.now();
    const move = spawnMove(settings, ...args);
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, residentMegabytes(move.pid));
    }, 200);
    const { code, output } = await move.ended;
    clearInterval(timer);
    assert.equal(code, 0, output);
    assert.match(output, /[\d.]+ linhas copiadas/, 'it shows its progress');
    const seconds = Math.round((performance.now() - began) / 1_000);
    report(`${users} users and ${audioMegabytes} MB ${name}`, `${seconds} s`);
    report('its memory', `${Math.round(most)} MiB`, `${mostMegabytes} MiB`);
    assert.ok(most < mostMegabytes, `${most} MiB`);
  }
  assert.deepEqual(await digestsOf(site.settings), digests);
  assert.deepEqual(await hashesIn(path.join(site.settings.DATA_DIR, 'files')), hashes);
});

it('a full disk is refused before the move; a disk that becomes full stops the move, and the site stays in the old place', async (t) => {
  const swift = await startSwift();
  t.after(() => swift.remove());
  const site = await createSite(t, 'postgres');
  await site.addFiles(200);
  const s3 = s3Environment(swift);
  const small = await smallFileSystem(t, 60);
  const onS3 = { ...site.settings, ...s3 };
  assert.equal((await runMove(onS3, '--to-s3')).code, 0);
  const refused = await runMove({ ...onS3, DATA_DIR: small }, '--to-disk');
  assert.equal(refused.code, 1);
  assert.match(refused.output, /^Faltam \S+ MB livres no disco de .* Nada foi mudado\./);

  const disk = await smallFileSystem(t, 160);
  const settings = { ...onS3, DATA_DIR: disk };
  const move = spawnMove(settings, '--to-sqlite', '--to-disk');
  await until(async () => existsSync(path.join(disk, 'move.json')) || !move.isRunning());
  await fill(path.join(disk, 'filler'));
  const full = await move.ended;
  assert.equal(full.code, 1, full.output);
  assert.match(full.output, /não há mais espaço no lugar novo\.\nO site continua no lugar antigo/);
  const next = { DATA_DIR: disk };
  assert.deepEqual(await validPlaces({ ...onS3 }, next), ['old']);
  await rm(path.join(disk, 'filler'));
  const digests = await digestsOf(settings);
  const again = await runMove(settings, '--to-sqlite', '--to-disk');
  assert.equal(again.code, 0, again.output);
  assert.deepEqual(await digestsOf(next), digests);
  report('a disk that becomes full during a move', 'the site stays', 'the site stays');
});

it('a move of rows and files that Ctrl+C, SIGTERM or kill -9 interrupts leaves the old place unchanged, and the same command completes it', async (t) => {
  const swift = await startSwift();
  t.after(() => swift.remove());
  const site = await createSite(t, 'sqlite');
  await site.addFiles(60);
  const url = await createEmptyPostgres();
  const settings = { ...site.settings, ...s3Environment(swift) };
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

it('a server that was suspended while the files were moved stores no file in the old bucket, and removes none there, after it wakes up', async (t) => {
  const swift = await startSwift();
  t.after(() => swift.remove());
  const url = await createEmptyPostgres();
  const onDisk: Settings = { DATA_DIR: await temporaryFolder(t), DATABASE_URL: url };
  const onS3 = { ...onDisk, ...s3Environment(swift) };
  const { server, admin } = await startSmallSite(t, onS3);
  process.kill(server.pid, 'SIGSTOP');
  await endHeartbeat(t, url);
  // The server still has the lock of its folder, so the move runs as on another machine, with another folder.
  const { code, output } = await runMove({ ...onS3, DATA_DIR: await temporaryFolder(t) }, '--to-disk');
  assert.equal(code, 0, output);
  const objects = await listObjects(swift);

  process.kill(server.pid, 'SIGCONT');
  const storage = storageOf(admin);
  assert.equal((await storage.send('postAudios/mind/outro', mp3(50_000))).status, 503);
  const removed = await storage.call(paths.storage.object('postAudios/mind/som'), { method: 'DELETE' });
  assert.equal(removed.status, 204);
  assert.deepEqual(await listObjects(swift), objects);
  // The next server uses the same database, so it finds this row and removes the content from the new place.
  const database = connect({ databaseUrl: url, dataDir: '' });
  t.after(() => database.destroy());
  const rows = await database.selectFrom('discardedContents').select('key').execute();
  assert.equal(rows.length, 1);
});

/** Writes a file of `audioMegabytes`. @returns its SHA-256 in base64 */
async function writeSound(name: string): Promise<string> {
  await mkdir(path.dirname(name), { recursive: true });
  const hash = createHash('sha256');
  const file = await open(name, 'w');
  for (let part = 0; part < audioMegabytes; part += 1) {
    const bytes = randomBytes(1_000_000);
    hash.update(bytes);
    await file.writeFile(bytes);
  }
  await file.close();
  return hash.digest('base64');
}

/** Writes to a file until the disk is full. */
async function fill(file: string): Promise<void> {
  for (const bytes of [1_000_000, 4_096])
    try {
      for (;;) await appendFile(file, Buffer.alloc(bytes));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
}
