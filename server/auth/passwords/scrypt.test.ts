import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { refusedWith } from '#server/testing/refused.ts';
import { visitorAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { createScrypt } from './scrypt.ts';

const job = { password: 'calmaria2025x', salt: 'aa' };

/** Waits for the next thread that this process starts. */
const nextThread = () => new Promise<Worker>((resolve) => process.once('worker', resolve));

describe('the thread that hashes passwords', () => {
  it('works when the system refuses a lower priority, and logs it once', async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-priority-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    // Simulates a system that refuses the call, as sandboxes like gVisor or a seccomp filter do.
    const refusal = path.join(folder, 'refuse-priority.mjs');
    await writeFile(
      refusal,
      `import os from 'node:os';
      import { syncBuiltinESMExports } from 'node:module';
      os.setPriority = () => { throw Object.assign(new Error('refused'), { code: 'ERR_SYSTEM_ERROR' }); };
      syncBuiltinESMExports();`,
    );
    const server = await startServerProcess(path.join(folder, 'data'), {
      NODE_OPTIONS: `--import=${pathToFileURL(refusal).href}`,
    });
    t.after(() => server.kill());
    const { client } = visitorAt(server.url, server.url);
    const credentials = { email: 'ana@exemplo.com.br', password: 'calmaria2025x' };
    await client.auth.signUp({ displayName: 'Ana', ...credentials });
    await client.auth.signIn(credentials);
    await assert.rejects(
      client.auth.signIn({ ...credentials, password: 'errada12345' }),
      refusedWith('auth/invalid-credentials'),
    );
    await server.stop();
    assert.equal(server.log().match(/at the usual priority/g)?.length, 1, server.log());
  });

  it('is replaced when it ends, and the next thread does the waiting jobs', async (t) => {
    const ended: Error[] = [];
    const scrypt = createScrypt({ onEnd: (error) => ended.push(error) });
    t.after(() => scrypt.end());
    const started = nextThread();
    const right = await scrypt.derive(job);
    const waiting = Array.from({ length: 3 }, () => scrypt.derive(job));
    const next = nextThread();
    await (await started).terminate();
    for (const key of await Promise.all(waiting)) assert.deepEqual(key, right);
    assert.equal(ended.length, 1);
    // After an idle thread has ended, the next job starts a new one.
    await (await next).terminate();
    assert.deepEqual(await scrypt.derive(job), right);
  });

  it('refuses waiting jobs when the next thread ends too, instead of retrying for ever', async (t) => {
    const scrypt = createScrypt({ onEnd: () => {} });
    t.after(() => scrypt.end());
    const threads: Worker[] = [];
    const terminate = (thread: Worker) => {
      threads.push(thread);
      thread.once('online', () => void thread.terminate());
    };
    process.on('worker', terminate);
    const results = await Promise.allSettled([scrypt.derive(job), scrypt.derive(job)]);
    process.off('worker', terminate);
    assert.deepEqual(
      results.map((result) => result.status === 'rejected' && result.reason.code),
      ['server/unavailable', 'server/unavailable'],
    );
    assert.equal(threads.length, 2);
    assert.equal((await scrypt.derive(job)).length, 64, 'the next job starts a new thread');
  });
});
