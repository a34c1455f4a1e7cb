import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { sampleActivity } from '../testing/samples.ts';
import { visitorAt } from '../testing/server.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { mp3, storageOf } from '../testing/storage.ts';

const strangers = 1_500;
const megabyte = 1024 * 1024;

describe('clients that send requests and do not read the responses', { concurrency: true }, () => {
  it(`${strangers} clients that request one large file and do not read it do not affect memory or other readers, and are cut off`, async (t) => {
    const { url, pid, admin } = await startWithAdmin(t);
    const storage = storageOf(admin);
    await storage.upload('postAudios/mind/longo', mp3(24 * megabyte), 8 * megabyte);
    const { pathname, search } = new URL(await storage.url('postAudios/mind/longo'), url);
    assert.equal((await fetch(url)).status, 200);
    const before = residentBytes(pid);

    const sockets = await askWithoutReading(t, url, pathname + search, strangers);
    let most = 0;
    for (let count = 0; count < 100; count += 1) {
      const response = await fetch(url);
      assert.equal(response.status, 200);
      await response.text();
      most = Math.max(most, residentBytes(pid));
    }
    assert.ok(most - before < 100 * megabyte, `${(most - before) / megabyte} MB more`);
    await allClosed(sockets);
    const after = await fetch(url + pathname + search, { headers: { range: 'bytes=0-9' } });
    assert.equal(after.status, 206, 'connections are available again');
  });

  it('are cut off on a public list, too', async (t) => {
    const { url, admin } = await startWithAdmin(t);
    for (let count = 0; count < 100; count += 1)
      await admin.client.documents.createActivity(sampleActivity({ content: 'Note o ar. '.repeat(4_000) }));
    await allClosed(await askWithoutReading(t, url, '/api/documents/activities/mindActsList', 20));
  });

  it('do not hold every version of a list in memory while it is edited', async (t) => {
    const { url, pid, admin } = await startWithAdmin(t);
    const { documents } = admin.client;
    const content = 'Note o ar. '.repeat(4_500);
    for (let count = 0; count < 120; count += 1) await documents.createActivity(sampleActivity({ content }));
    const list = '/api/documents/activities/mindActsList';
    const bytes = (await (await fetch(url + list)).arrayBuffer()).byteLength;
    assert.ok(bytes > 5 * megabyte);
    const before = residentBytes(pid);
    const sockets: Socket[] = [];
    const edits = 120;
    let most = 0;
    for (let edit = 0; edit < edits; edit += 1) {
      await documents.createActivity(sampleActivity({ content }));
      sockets.push(...(await askWithoutReading(t, url, list, 10)));
      assert.equal((await fetch(`${url}/healthz`)).status, 200);
      most = Math.max(most, residentBytes(pid));
    }
    t.diagnostic(
      `${Math.round((most - before) / megabyte)} MB for ${Math.round((edits * bytes) / megabyte)} MB`,
    );
    // All versions of the list together take 680 MB. The server keeps 16 MB of them, plus those not yet
    // garbage-collected.
    assert.ok(most - before < 400 * megabyte, `${(most - before) / megabyte} MB more`);
    await allClosed(sockets);
  });

  it('get all of the response when they read slowly', async (t) => {
    const { url, admin } = await startWithAdmin(t);
    const storage = storageOf(admin);
    const content = mp3(24 * megabyte);
    await storage.upload('postAudios/mind/longo', content, 8 * megabyte);
    const { pathname, search } = new URL(await storage.url('postAudios/mind/longo'), url);
    const [reader] = await askWithoutReading(t, url, pathname + search, 1);
    assert.ok(reader);
    let read = 0;
    reader.on('data', (chunk: Buffer) => {
      read += chunk.length;
      // At about 1.2 MB a second, the download takes 20 seconds, longer than the time-out of a stalled
      // response.
      reader.pause();
      setTimeout(() => reader.resume(), 50);
    });
    reader.resume();
    await once(reader, 'end');
    assert.ok(read > content.length);
  });
});

async function startWithAdmin(t: TestContext) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-readers-'));
  const server = await startServerProcess(dataDir);
  t.after(async () => {
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  const admin = visitorAt(server.url, server.url);
  await admin.client.auth.signUp({
    ...{ displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' },
  });
  await admin.client.auth.becomeFirstAdmin(server.firstAdminPath().split('#')[1] ?? '');
  return { ...server, admin };
}

/** Opens connections that send a request and do not read its response. */
async function askWithoutReading(t: TestContext, url: string, target: string, count: number) {
  const { hostname, port } = new URL(url);
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ port: Number(port), host: hostname, autoSelectFamily: false });
      socket.on('error', () => {});
      await once(socket, 'connect').catch(() => {});
      socket.write(`GET ${target} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
      return socket;
    }),
  );
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  return sockets;
}

/**
 * Waits until the server has closed all connections. It finds out by writing, because a socket that does not
 * read gets no `close` event.
 */
async function allClosed(sockets: Socket[]) {
  await Promise.all(
    sockets.map(async (socket) => {
      while (!socket.closed) {
        // This write fails once the server has closed the connection.
        socket.write('\r\n');
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }),
  );
}

function residentBytes(pid: number): number {
  const [, kilobytes = ''] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
