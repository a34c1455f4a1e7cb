import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { backUpServer, createTarget, startWithFiles } from '#server/testing/backups/backups.ts';
import { outputOf, runToEnd, startCommand, variablesOf } from '#server/testing/backups/commands.ts';
import { allDatabaseKinds } from '#server/testing/databases.ts';
import type { DatabaseKind } from '../database/connect.ts';
import { StartError } from '../environment.ts';
import { warningsOf } from './back-up.ts';
import { listSnapshots } from './snapshot/manifests.ts';

const root = path.join(import.meta.dirname, '../..');

/** Makes a backup, and what a drill of it needs. */
async function prepareDrill(t: TestContext, kind: DatabaseKind) {
  const { server, place } = await startWithFiles(t, kind, 8_000_000);
  await backUpServer(server, place);
  const key = path.join(server.dataDir, 'key.txt');
  await writeFile(key, place.identity);
  const TMPDIR = path.join(server.dataDir, 'temporary');
  await mkdir(TMPDIR);
  return {
    env: { ...variablesOf(await createTarget(t, kind), place, 'restore'), TMPDIR },
    args: [place.folder, '--key', key, '--drill'],
    hasDecrypted: async () => (await readdir(TMPDIR, { recursive: true })).join().includes('/files/'),
    /** The folders that this program has left. npm leaves files of its own. */
    left: async () => (await readdir(TMPDIR)).filter((name) => name.startsWith('acolhe')),
  };
}

for (const kind of allDatabaseKinds) {
  describe(`Ctrl+C on ${kind}`, () => {
    it('ends a backup cleanly, with a clear message and the exit code 130', async (t) => {
      const { server, place } = await startWithFiles(t, kind, 8_000_000);
      const child = startCommand(server, place, 'backup', []);
      const { said } = outputOf(child);
      while ((await place.store.list('contents/')).size === 0) await wait(5);
      child.kill('SIGINT');
      const [code] = (await once(child, 'exit')) as [number | null];
      assert.equal(code, 130);
      assert.match(said(), /Parado\. O backup não foi feito/);
      assert.deepEqual(await listSnapshots(place.store), []);
      // This succeeds only if the stopped backup has released its lease.
      await backUpServer(server, place);
    });

    it('ends a backup that is still listing what earlier ones stored', async (t) => {
      const { server, place } = await startWithFiles(t, kind);
      await backUpServer(server, place);
      const before = await listSnapshots(place.store);
      const keys = new AbortController();
      const counts: number[] = [];
      const stopped = backUpServer(server, place, {
        signal: keys.signal,
        progress(done, all, counted) {
          counts.push(done);
          assert.deepEqual([all, counted], [undefined, 'partes guardadas listadas']);
          keys.abort();
        },
      });
      await assert.rejects(stopped, { name: 'AbortError' });
      assert.deepEqual(counts, [1]);
      assert.deepEqual(await listSnapshots(place.store), before);
      await backUpServer(server, place);
    });

    it('ends the deletion of old parts after a complete backup, and the next one deletes the rest', async (t) => {
      const { server, place } = await startWithFiles(t, kind);
      const old = ['contents/aa/1.age', 'contents/aa/2.age', 'contents/aa/3.age'];
      for (const name of old) await place.store.write(name, Readable.from(['old']));
      const oldLeft = async () => {
        const stored = await place.store.list('contents/');
        return old.filter((name) => stored.has(name)).length;
      };
      const keys = new AbortController();
      const stopped = new StartError('Parado. O backup não foi feito.');
      const made = await backUpServer(server, place, {
        signal: keys.signal,
        progress: (_done, _all, counted) =>
          void (counted === 'partes antigas apagadas' && keys.abort(stopped)),
      });
      assert.ok(made);
      assert.match(
        warningsOf(made).join('\n'),
        /^Atenção: nem todos .* antigos foram apagados; .* continua\.$/,
      );
      assert.deepEqual(await listSnapshots(place.store), [made.snapshot]);
      assert.equal(await oldLeft(), 2);
      const next = await backUpServer(server, place);
      assert.ok(next);
      assert.deepEqual(warningsOf(next), []);
      assert.equal(await oldLeft(), 0);
    });

    it('ends a drill that npm runs, and removes what it has decrypted', async (t) => {
      const { env, args, hasDecrypted, left } = await prepareDrill(t, kind);
      // `detached` makes a process group. A terminal signals the whole group, and npm signals its child
      // again.
      const npm = spawn('npm', ['run', 'restore', '--', ...args], {
        ...{ cwd: root, env, detached: true },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      t.after(() => npm.exitCode ?? npm.signalCode ?? process.kill(-(npm.pid ?? 0), 'SIGKILL'));
      const ended = runToEnd(npm);
      while (npm.exitCode === null && !(await hasDecrypted())) await wait(5);
      // Repeats the signal, as when a user presses Ctrl+C again. It must not interrupt the clean-up.
      while (npm.exitCode === null && npm.signalCode === null) {
        process.kill(-(npm.pid ?? 0), 'SIGINT');
        await wait(1);
      }
      const { output } = await ended;
      assert.match(output, /^Parado\. Nada foi restaurado/m);
      // A shell shows this as the exit code 130.
      assert.equal(npm.signalCode, 'SIGINT');
      assert.deepEqual(await left(), []);
    });

    it('ends a drill whose terminal is lost, and removes what it has decrypted', async (t) => {
      const { env, args, hasDecrypted, left } = await prepareDrill(t, kind);
      const drill = spawn(process.execPath, [path.join(root, 'commands/restore.ts'), ...args], { env });
      t.after(() => drill.kill('SIGKILL'));
      const ended = runToEnd(drill);
      while (drill.exitCode === null && !(await hasDecrypted())) await wait(5);
      drill.kill('SIGHUP');
      assert.equal((await ended).code, 129);
      assert.deepEqual(await left(), []);
    });

    it('ends a verification within one large part, and says that the backups are as before', async (t) => {
      const { server, place } = await startWithFiles(t, kind);
      await backUpServer(server, place);
      // Replaces a part with a pipe, whose writer knows when the command reads it.
      const [part = ''] = (await place.store.list('contents/')).keys();
      const pipe = path.join(place.folder, part);
      await rm(pipe);
      execFileSync('mkfifo', [pipe]);
      const child = startCommand(server, place, 'backup', ['verify']);
      const ended = runToEnd(child);
      const writer = await open(pipe, 'w');
      try {
        // This is more than a pipe holds, so the first write returns only once the command has read a part.
        await writer.write(Buffer.alloc(1024 * 1024));
        child.kill('SIGINT');
        for (let written = 0; written < 64; written += 1) await writer.write(Buffer.alloc(1024 * 1024));
      } catch (error) {
        // The command has ended.
        assert.equal((error as NodeJS.ErrnoException).code, 'EPIPE');
      } finally {
        await writer.close();
      }
      const { code, output } = await ended;
      assert.match(output, /^Parado\. A conferência não terminou; os backups continuam como estavam\.$/m);
      assert.equal(code, 130);
      assert.ok(existsSync(pipe));
    });
  });
}
