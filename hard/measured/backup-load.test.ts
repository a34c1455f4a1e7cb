import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fillActivities } from '#bench/fill-activities.ts';
import { fillUsers } from '#bench/fill-users.ts';
import { startProgram } from '#bench/subject.ts';
import { createKeyPair } from '#server/backup/place/encryption.ts';
import { smallProcess } from '#server/backup/schedule.ts';
import { connect, migrate } from '#server/database/connect.ts';
import { runWhenIdle } from '#server/idle-priority.ts';
import { signUpAdmins } from '#server/testing/recorded-writes.ts';
import type { TestUser } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { mp3, storageOf } from '#server/testing/storage.ts';
import { report } from '../figures.ts';
import { privateMegabytes, residentMegabytes, temporaryFolder } from '../machine.ts';
import { readHomePage } from './attack.ts';

const activities = 10_000;
const people = 100_000;
const writers = 8;
const files = 100;
const fileBytes = 20_000_000;
const measureMs = 15_000;
const mostRatio = 2;
/** Milliseconds between two writes of a client. */
const pauseMs = 200;
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
  await fillUsers(database, 'sqlite', people);
  await database.destroy();
  await uploadFiles(admins);
  const measure = () => readHomePage(server.url, wait(measureMs));
  const environment = { DATA_DIR: dataDir, ...backup };

  const before = residentMegabytes(server.pid);
  const atRest = await measure();
  let backups = startBackups(t, environment);
  const duringBackup = await measure();
  const alone = await backups.stop();
  const writing = await startProgram('write-loops.ts', server.url, String(writers), String(pauseMs));
  const withWriters = await measure();
  backups = startBackups(t, environment);
  const duringBoth = await measure();
  const growth = residentMegabytes(server.pid) - before;
  const beside = await backups.stop();
  await writing.stop();

  const compared = (what: string, from: number, to: number, limit = '') =>
    report(`${what}, p99 of the home page`, `${from.toFixed(2)} → ${to.toFixed(2)} ms`, limit);
  compared('a backup', atRest, duringBackup, `× ${mostRatio}`);
  compared(`${writers} clients that write`, atRest, withWriters);
  compared('a backup beside them', withWriters, duringBoth, `× ${mostRatio}`);
  const most = Math.max(alone.mostMegabytes, beside.mostMegabytes);
  report('backups under load, memory of the server', `+${growth.toFixed(0)} MB`, `${mostMegabytes} MB`);
  report('backups under load, memory of their process', `+${most.toFixed(0)} MB`, `${mostMegabytes} MB`);
  assert.ok(alone.made > 0 && beside.made > 0);
  assert.ok(duringBackup <= mostRatio * atRest, `${atRest} → ${duringBackup} ms`);
  assert.ok(duringBoth <= mostRatio * withWriters, `${withWriters} → ${duringBoth} ms`);
  assert.ok(growth <= mostMegabytes, `${growth} MB`);
  assert.ok(most <= mostMegabytes, `${most} MB`);
});

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
  let made = 0;
  let most = 0;
  t.after(() => child?.kill('SIGKILL'));
  const work = (async () => {
    for (let count = 0; going; count += 1) {
      const BACKUP_DIR = `${environment.BACKUP_DIR}-${count}`;
      child = spawn(process.execPath, [...smallProcess.nodeOptions, 'commands/backup.ts', '--new-place'], {
        cwd: root,
        env: { PATH: process.env.PATH, ...smallProcess.environment, ...environment, BACKUP_DIR },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      runWhenIdle(child.pid ?? 0);
      const ended = once(child, 'exit') as Promise<[number | null]>;
      most = Math.max(most, await sizeOf(child.pid ?? 0, ended));
      const [code] = await ended;
      assert.equal(code, 0);
      made += 1;
      await rm(BACKUP_DIR, { recursive: true });
    }
  })();
  return {
    async stop() {
      going = false;
      await work;
      return { made, mostMegabytes: most };
    },
  };
}

/** Returns the most memory that a process did not share with others, in MiB. */
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
