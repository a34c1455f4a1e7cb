import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startProgram } from '#bench/subject.ts';
import { createKeyPair } from '#server/backup/place/encryption.ts';
import { signUpAdmins } from '#server/testing/recorded-writes.ts';
import type { TestUser } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { mp3, storageOf } from '#server/testing/storage.ts';
import { report } from '../figures.ts';
import { residentMegabytes, temporaryFolder } from '../machine.ts';
import { readHomePage } from './attack.ts';

const writers = 8;
const files = 20;
const fileBytes = 20_000_000;
const measureMs = 15_000;
const mostRatio = 2;
/** Between two writes of a client. */
const pauseMs = 200;
const mostMegabytes = 64;
const root = path.join(import.meta.dirname, '../..');

it(`serves pages while a backup copies ${files} files and ${writers} clients write`, async (t) => {
  const dataDir = await temporaryFolder(t);
  const { recipient } = await createKeyPair();
  const backup = { BACKUP_DIR: path.join(await temporaryFolder(t), 'backups'), BACKUP_RECIPIENT: recipient };
  const server = await startServerProcess(dataDir, backup);
  t.after(() => server.kill());
  const admins = await signUpAdmins(server.url, server.firstAdminPath(), writers);
  await uploadFiles(admins);

  const atRest = await readHomePage(server.url, wait(measureMs));
  const writing = await startProgram('write-loops.ts', server.url, String(writers), String(pauseMs));
  const withWriters = await readHomePage(server.url, wait(measureMs));
  const before = residentMegabytes(server.pid);
  const backups = startBackups(t, { DATA_DIR: dataDir, ...backup });
  const during = await readHomePage(server.url, wait(measureMs));
  const growth = residentMegabytes(server.pid) - before;
  const { made, mostGrowth } = await backups.stop();
  await writing.stop();

  report(
    `${writers} clients that write, p99 of the home page`,
    `${atRest.toFixed(2)} → ${withWriters.toFixed(2)} ms`,
    '',
  );
  report(
    'a backup beside them, p99 of the home page',
    `${withWriters.toFixed(2)} → ${during.toFixed(2)} ms`,
    `× ${mostRatio}`,
  );
  report('a backup under load, memory of the server', `+${growth.toFixed(0)} MB`, `${mostMegabytes} MB`);
  report('a backup under load, memory of its process', `+${mostGrowth.toFixed(0)} MB`, `${mostMegabytes} MB`);
  assert.ok(made > 0);
  assert.ok(during <= mostRatio * withWriters, `${withWriters} → ${during} ms`);
  assert.ok(growth <= mostMegabytes, `${growth} MB`);
  assert.ok(mostGrowth <= mostMegabytes, `${mostGrowth} MB`);
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

/** Makes complete backups, one after another, with a low priority as the server's schedule does. */
function startBackups(t: TestContext, environment: Record<string, string>) {
  let child: ChildProcess | undefined;
  let going = true;
  let made = 0;
  let mostGrowth = 0;
  t.after(() => child?.kill('SIGKILL'));
  const work = (async () => {
    for (let count = 0; going; count += 1) {
      const BACKUP_DIR = `${environment.BACKUP_DIR}-${count}`;
      child = spawn('nice', ['-n', '19', process.execPath, '--max-semi-space-size=1', 'commands/backup.ts'], {
        cwd: root,
        env: { PATH: process.env.PATH, ...environment, BACKUP_DIR },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(child, 'exit') as Promise<[number | null]>;
      const grown = await growthOf(child.pid ?? 0, ended);
      const [code] = await ended;
      assert.equal(code, 0);
      made += 1;
      mostGrowth = Math.max(mostGrowth, grown);
    }
  })();
  return {
    async stop() {
      going = false;
      await work;
      return { made, mostGrowth };
    },
  };
}

/** How much a process grows from its first second to its largest size, in megabytes. */
async function growthOf(pid: number, ended: Promise<unknown>): Promise<number> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  const sizes: number[] = [];
  await wait(1_000);
  while (!over) {
    sizes.push(residentMegabytes(pid));
    await Promise.race([wait(250), ended]);
  }
  return sizes.length === 0 ? 0 : Math.max(...sizes) - (sizes[0] ?? 0);
}
