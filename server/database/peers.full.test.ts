import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { visitorAt } from '../testing/server.ts';
import { startServerProcess } from '../testing/server-process.ts';

describe('the process survives', () => {
  /** The lines that a mail server sends, one per message of the client, before it resets the connection. */
  const breaks: [when: string, said: string[]][] = [
    ['at once', []],
    ['after its greeting', ['220 x ESMTP\r\n']],
    ['with an invalid response', ['220 x ESMTP\r\n', '\u0000\u0001 what?\r\n']],
    ['before the mail', ['220 x ESMTP\r\n', '250 x\r\n', '250 ok\r\n', '250 ok\r\n']],
    [
      'in the middle of the mail',
      ['220 x ESMTP\r\n', '250 x\r\n', '250 ok\r\n', '250 ok\r\n', '354 go on\r\n'],
    ],
  ];
  it('when the mail server breaks the connection at any point', async (t) => {
    let said: string[] = [];
    let broken = 0;
    const mail = await listen(t, (socket) => {
      const lines = [...said];
      const next = () => {
        const line = lines.shift();
        if (line === undefined) socket.resetAndDestroy();
        else socket.write(line);
      };
      next();
      socket
        .on('data', next)
        .on('error', () => {})
        .on('close', () => {
          broken += 1;
        });
    });
    const server = await start(t, { SMTP_URL: `smtp://127.0.0.1:${mail}`, LOG_LEVEL: 'error' });
    const { client } = visitorAt(server.url, server.url);
    for (const [when, lines] of breaks) {
      said = lines;
      const before = broken;
      const email = `${when.replaceAll(' ', '-')}@exemplo.com.br`;
      await client.auth.signUp({ displayName: 'Ana', email, password: 'senha12345' });
      await client.auth.requestPasswordReset(email);
      while (broken === before) {
        assert.ok(server.isRunning(), server.log());
        await wait(20);
      }
      assert.equal((await fetch(`${server.url}/healthz`)).status, 200, when);
    }
    assert.doesNotMatch(server.log(), /Uncaught|Unhandled/i);
  });

  it('when clients reset their connections in the middle of requests and responses', async (t) => {
    const server = await start(t);
    const requests = [
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
      'GET /practices HTTP/1.1\r\nHost: x\r\n',
      `POST /api/auth/sign-in HTTP/1.1\r\nHost: x\r\nOrigin: ${server.url}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      'POST /api/storage/objects HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n--x\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
      '\u0016\u0003\u0001 no HTTP at all',
    ];
    for (const request of requests)
      for (const end of ['resetAndDestroy', 'destroy'] as const) {
        // Without `allowHalfOpen`, Node 26 sometimes never exits: it resets a socket that is already closing.
        const options = { port: Number(server.port), host: 'localhost', allowHalfOpen: true };
        const socket = connect(options).on('error', () => {});
        await once(socket, 'connect');
        socket.write(request);
        const { status } = await fetch(`${server.url}/healthz`);
        assert.equal(status, 200);
        socket[end]();
      }
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    await server.stop();
    assert.doesNotMatch(server.log(), /Uncaught|Unhandled/i);
  });

  it('when it has no more file descriptors, and recovers once there are some', async (t) => {
    const server = await start(t);
    const limit = spawnSync('prlimit', [`--pid=${server.pid}`, '--nofile=64:64']);
    assert.equal(limit.status, 0, String(limit.stderr));
    const sockets = Array.from({ length: 200 }, () =>
      connect(Number(server.port), 'localhost').on('error', () => {}),
    );
    await Promise.all(
      sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])),
    );
    for (const socket of sockets) socket.destroy();
    while (
      !(await fetch(`${server.url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      assert.ok(server.isRunning(), server.log());
    assert.doesNotMatch(server.log(), /Uncaught|Unhandled/i);
  });
});

async function start(t: TestContext, environment: Record<string, string> = {}) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-peers-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const server = await startServerProcess(dataDir, environment);
  t.after(() => server.kill());
  return server;
}

/** Starts a server that handles each connection with `talk`. @returns its port */
async function listen(t: TestContext, talk: (socket: Socket) => void): Promise<number> {
  const server = createServer(talk).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}
