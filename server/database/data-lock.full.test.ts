import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { startServerProcess } from '../testing/server-process.ts';

describe('the lock of a data folder', () => {
  it('lets one of two concurrent first starts run; the other one says so and ends', async (t) => {
    const dataDir = await temporaryFolder(t);
    const starts = await Promise.allSettled([start(t, dataDir), start(t, dataDir)]);
    const [server, ...others] = starts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refusals = starts.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    assert.equal(others.length, 0, 'only one runs');
    assert.equal(refusals.length, 1);
    assert.match(refusals[0] ?? '', /ended with 1:\nOutro servidor já usa a pasta de dados .*DATA_DIR\.\n$/);
    assert.ok(server);
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
    const secret = await readFile(path.join(dataDir, 'auth-secret'), 'utf8');
    await assert.rejects(start(t, dataDir), /Outro servidor já usa/);
    assert.equal(await readFile(path.join(dataDir, 'auth-secret'), 'utf8'), secret);
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  });

  it('ends with its server, also when the server is killed', async (t) => {
    const dataDir = await temporaryFolder(t);
    for (let round = 0; round < 3; round += 1) await (await start(t, dataDir)).kill();
    await (await start(t, dataDir)).stop();
    assert.ok((await start(t, dataDir)).isRunning());
  });
});

async function start(t: TestContext, dataDir: string) {
  const server = await startServerProcess(dataDir);
  t.after(() => server.kill());
  return server;
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-lock-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
