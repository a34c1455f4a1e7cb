import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { it, type TestContext } from 'node:test';
import { paths } from '#contract/paths.ts';
import { signUpAdmins } from '#server/testing/recorded-writes.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { mp3, storageOf } from '#server/testing/storage.ts';
import { report } from '../figures.ts';
import { residentMegabytes, temporaryFolder } from '../machine.ts';
import { readHomePage } from './attack.ts';

const clients = 1_000;
const trickleMs = 1_000;
const probeMs = 500;
const mostMegabytes = 100;
/** The server cuts off slow requests after ten seconds, but Node checks them only every few seconds. */
const mostRequestSeconds = 20;
/** The server cuts off a response when the client has accepted no bytes for 15 s. */
const mostResponseSeconds = 60;
const mostMs = 20;

it(`cuts off ${clients} clients that send their headers slowly`, async (t) => {
  await attack(t, 'slow headers', mostRequestSeconds, async () => ({
    opening: () => 'GET / HTTP/1.1\r\nhost: localhost\r\n',
    more: () => 'x-a: b\r\n',
  }));
});

it(`cuts off ${clients} clients that send their body slowly`, async (t) => {
  await attack(t, 'slow bodies', mostRequestSeconds, async (url) => ({
    opening: () =>
      `POST ${paths.auth.signIn} HTTP/1.1\r\nhost: localhost\r\norigin: ${url}\r\n` +
      'content-type: application/json\r\ncontent-length: 10000\r\n\r\n{',
    more: () => ' ',
  }));
});

it(`cuts off ${clients} clients that do not read a large file`, async (t) => {
  await attack(t, 'readers that do not read', mostResponseSeconds, async (url, firstAdminPath) => {
    const [admin] = await signUpAdmins(url, firstAdminPath, 1);
    assert.ok(admin);
    const storage = storageOf(admin);
    await storage.upload('postAudios/mind/longo', mp3(24_000_000), 8_000_000);
    const { pathname, search } = new URL(await storage.url('postAudios/mind/longo'), url);
    return {
      opening: () => `GET ${pathname}${search} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
      more: () => '\r\n',
    };
  });
});

/** What a client sends at first, and what it sends every second. */
type Attack = { opening: () => string; more: () => string };

/** Opens all connections, and waits until the server has closed every one of them. */
async function attack(
  t: TestContext,
  name: string,
  mostSeconds: number,
  prepare: (url: string, firstAdminPath: string) => Promise<Attack>,
) {
  const server = await startServerProcess(await temporaryFolder(t));
  t.after(() => server.kill());
  const { opening, more } = await prepare(server.url, server.firstAdminPath());
  assert.equal((await fetch(server.url)).status, 200);
  const before = residentMegabytes(server.pid);
  const sockets = await Promise.all(Array.from({ length: clients }, () => open(server.url)));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  const started = performance.now();
  for (const socket of sockets) socket.write(opening());
  let most = 0;
  const sampling = setInterval(() => {
    most = Math.max(most, residentMegabytes(server.pid));
  }, probeMs);
  // A socket that does not read detects a closed connection only when it writes.
  const trickling = setInterval(() => {
    for (const socket of sockets) if (!socket.closed) socket.write(more());
  }, trickleMs);
  t.after(() => {
    clearInterval(sampling);
    clearInterval(trickling);
  });
  const closed = Promise.all(
    sockets.map((socket) => socket.closed || new Promise((resolve) => socket.once('close', resolve))),
  );
  const p99 = await readHomePage(server.url, closed);
  const seconds = (performance.now() - started) / 1_000;
  const growth = most - before;

  const figures = `cut off in ${seconds.toFixed(0)} s, +${growth.toFixed(0)} MB, p99 of the home page ${p99.toFixed(2)} ms`;
  report(`${clients} × ${name}`, figures, `${mostSeconds} s, ${mostMegabytes} MB, ${mostMs} ms`);
  assert.ok(seconds < mostSeconds, `${seconds} s`);
  assert.ok(growth < mostMegabytes, `${growth} MB`);
  assert.ok(p99 < mostMs, `${p99} ms`);
  assert.equal((await fetch(server.url)).status, 200);
}

async function open(url: string): Promise<Socket> {
  const { port } = new URL(url);
  const socket = connect({ host: 'localhost', port: Number(port) });
  socket.on('error', () => {});
  await once(socket, 'connect');
  // This socket reads nothing, because a socket without a `data` listener is paused.
  return socket;
}
