import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fillActivities, fillUsers } from '#bench/fill.ts';
import { startProgram } from '#bench/subject.ts';
import { createKeyPair } from '#server/backup/place/encryption.ts';
import { lowMemoryOptions, runInBackground } from '#server/backup/schedule.ts';
import { connect, migrate } from '#server/database/connect.ts';
import { signUpAdmins } from '#server/testing/recorded-writes.ts';
import type { TestUser } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { mp3, storageOf } from '#server/testing/storage.ts';
import { report } from '../figures.ts';
import { privateMegabytes, residentMegabytes, runWhenIdle, temporaryFolder } from '../machine.ts';
import { readInTurns } from './attack.ts';

const activities = 10_000;
const people = 100_000;
const writers = 8;
const files = 50;
const fileBytes = 20_000_000;
/** Of the p99 of the home page at rest. */
const mostRatio = 2;
/** With the writers, too. */
const mostRatioOfBoth = 3;
/** Milliseconds after which every write that has begun is complete. */
const settleMs = 300;
/** Milliseconds between two writes of a client. */
const pauseMs = 200;
/** Half of the activities that the clients would create if every response were immediate. */
const leastCreates = 540;
const mostMegabytes = 64;
const root = path.join(import.meta.dirname, '../..');

it(`serves pages while a backup copies ${files} files of ${fileBytes / 1_000_000} MB, and ${writers} clients write`, async (t) => {
  const dataDir = await temporaryFolder(t);
  const database = connect({ dataDir, databaseUrl: undefined });
  await migrate(database);
  const { recipient } = await createKeyPair();
  const backup = { BACKUP_DIR: path.join(await temporaryFolder(t), 'backups'), BACKUP_RECIPIENT: recipient };
  const server = await startServerProcess(dataDir, backup);
  t.after(() => server.kill());
  const admins = await signUpAdmins(server.url, server.firstAdminPath(), writers);
  await fillActivities(database, activities);
  await fillUsers(database, people);
  await database.destroy();
  await uploadFiles(admins);
  const environment = { DATA_DIR: dataDir, ...backup };

  const before = residentMegabytes(server.pid);
  const backups = startBackups(t, environment);
  backups.pause();
  const writing = await startProgram(
    path.join(import.meta.dirname, 'write-loops.ts'),
    server.url,
    String(writers),
    String(pauseMs),
  );
  // Clients of a real site run on other machines, so their processor time must not slow down the server here.
  runWhenIdle(writing.pid);
  const holdOrContinue = () => process.kill(writing.pid, 'SIGUSR2');
  const writes = { pause: holdOrContinue, resume: holdOrContinue, settleMs };
  writes.pause();
  const [atRest, duringBackup, withWriters, duringBoth] = await readInTurns(server.url, [
    [],
    [backups],
    [writes],
    [backups, writes],
  ]);
  const growth = residentMegabytes(server.pid) - before;
  await writing.stop();
  const created = await countCreated(dataDir);
  const { made, mostMegabytes: most } = await backups.stop();

  report(`creates by ${writers} clients that write`, String(created), `at least ${leastCreates}`);
  const compared = (what: string, from: number, to: number, limit = '') =>
    report(`${what}, p99 of the home page`, `${from.toFixed(2)} → ${to.toFixed(2)} ms`, limit);
  compared('a backup', atRest, duringBackup, `× ${mostRatio}`);
  compared(`${writers} clients that write`, atRest, withWriters);
  compared('a backup beside them', atRest, duringBoth, `× ${mostRatioOfBoth}`);
  report('backups under load, memory of the server', `+${growth.toFixed(0)} MB`, `${mostMegabytes} MB`);
  report('backups under load, memory of their process', `+${most.toFixed(0)} MB`, `${mostMegabytes} MB`);
  assert.ok(made > 0);
  assert.ok(created >= leastCreates, `${created} creates`);
  assert.ok(duringBackup <= mostRatio * atRest, `a backup: ${atRest} → ${duringBackup} ms`);
  assert.ok(duringBoth <= mostRatioOfBoth * atRest, `a backup beside writers: ${atRest} → ${duringBoth} ms`);
  assert.ok(growth <= mostMegabytes, `${growth} MB`);
  assert.ok(most <= mostMegabytes, `${most} MB`);
});

/** The number of activities that the writers have created and then deleted. */
async function countCreated(dataDir: string): Promise<number> {
  const database = connect({ dataDir, databaseUrl: undefined });
  try {
    const rows = await database.selectFrom('deletedActivities').select('id').execute();
    return rows.length;
  } finally {
    await database.destroy();
  }
}

async function uploadFiles(admins: TestUser[]) {
  for (let count = 0; count < files; count += 1) {
    const admin = admins[count % admins.length] as TestUser;
    const { status } = await storageOf(admin).upload(
      `postAudios/mind/${count}`,
      mp3(fileBytes, count),
      4_000_000,
    );
    assert.equal(status, 204);
  }
}

/** Makes complete backups, one after another, in processes like those of the server's schedule. */
function startBackups(t: TestContext, environment: Record<string, string>) {
  let child: ChildProcess | undefined;
  let going = true;
  let isPaused = false;
  let made = 0;
  let most = 0;
  t.after(() => child?.kill('SIGKILL'));
  const work = (async () => {
    for (let count = 0; going; count += 1) {
      const BACKUP_DIR = `${environment.BACKUP_DIR}-${count}`;
      child = spawn(
        process.execPath,
        [...lowMemoryOptions.nodeOptions, 'commands/backup.ts', '--new-place'],
        {
          cwd: root,
          env: { PATH: process.env.PATH, ...lowMemoryOptions.environment, ...environment, BACKUP_DIR },
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
      runInBackground(child.pid ?? 0);
      if (isPaused) child.kill('SIGSTOP');
      const ended = once(child, 'exit') as Promise<[number | null]>;
      most = Math.max(most, await sizeOf(child.pid ?? 0, ended));
      const [code] = await ended;
      assert.equal(code, 0);
      made += 1;
      await rm(BACKUP_DIR, { recursive: true });
    }
  })();
  return {
    settleMs,
    pause() {
      isPaused = true;
      child?.kill('SIGSTOP');
    },
    resume() {
      isPaused = false;
      child?.kill('SIGCONT');
    },
    async stop() {
      going = false;
      this.resume();
      await work;
      return { made, mostMegabytes: most };
    },
  };
}

/** Returns the maximum of a process's private memory until it ends, in MiB. */
async function sizeOf(pid: number, ended: Promise<unknown>): Promise<number> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  let most = 0;
  while (!over) {
    most = Math.max(most, privateMegabytes(pid));
    await Promise.race([wait(250), ended]);
  }
  return most;
}
