import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { createConnection, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { temporaryFolder } from '#server/testing/moves.ts';
import { findFreePort } from '../testing/free-port.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { until } from '../testing/until.ts';

const clients = 16;
const root = path.join(import.meta.dirname, '../..');

describe('SIGTERM', () => {
  it(`fails no request of ${clients} keep-alive clients in a restart`, async (t) => {
    const dataDir = await temporaryFolder(t);
    const settings = { PORT: String(await findFreePort()), DRAIN_SECONDS: '1' };
    let server = await startServerProcess(dataDir, settings);
    t.after(() => server.kill());
    const { url } = server;
    const failures: string[] = [];
    let responses = 0;
    let over = false;
    const asking = Array.from({ length: clients }, async (_, client) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let turn = 0; !over; turn += 1) {
        const result = await ask(
          `${url}/${turn % 2 ? 'api/documents/activities/mindActsList' : 'about'}`,
          agent,
        );
        if (result.status === 200) responses += 1;
        // Status 0 on a new connection is not a failure: the closing server did not accept it, and the client
        // connects again.
        else if (result.reused || result.status !== 0) failures.push(`${client}: ${JSON.stringify(result)}`);
        await new Promise((resolve) => setImmediate(resolve));
      }
      agent.destroy();
    });
    const reach = async (count: number) => {
      while (responses < count) await new Promise((resolve) => setImmediate(resolve));
    };
    for (let round = 0; round < 3; round += 1) {
      await reach(responses + 200);
      await server.stop();
      server = await startServerProcess(dataDir, settings);
    }
    await reach(responses + 200);
    over = true;
    await Promise.all(asking);
    assert.deepEqual(failures, []);
  });

  it('makes /readyz respond with 503; other requests are still served, and their connections end', async (t) => {
    const server = await startServerProcess(await temporaryFolder(t), { DRAIN_SECONDS: '60' });
    t.after(() => server.kill());
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => agent.destroy());
    const ready = await ask(`${server.url}/readyz`, agent);
    assert.deepEqual([ready.status, ready.connection], [200, 'keep-alive']);
    process.kill(server.pid, 'SIGTERM');
    let after = await ask(`${server.url}/readyz`, agent);
    while (after.status === 200) after = await ask(`${server.url}/readyz`, agent);
    assert.deepEqual([after.status, after.connection], [503, 'close']);
    for (const target of ['/', '/about', '/api/auth/get-session', '/healthz', '/nada']) {
      const { status, connection } = await ask(server.url + target, agent);
      assert.deepEqual([status, connection], [target === '/nada' ? 404 : 200, 'close'], target);
    }
  });

  it('does not close a connection whose first request is on its way', async (t) => {
    // Not `localhost`, because for that name Fastify opens a second socket, whose connections Node closes
    // itself.
    const server = await startServerProcess(await temporaryFolder(t), { HOST: '127.0.0.1' });
    t.after(() => server.kill());
    const first = await connect(t, Number(server.port));
    process.kill(server.pid, 'SIGTERM');
    // Opens connections until the server no longer listens.
    while (await connect(t, Number(server.port)).catch(() => undefined));
    first.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    assert.match(await text(first), /^HTTP\/1\.1 200 OK\r\n/);
    await until(async () => !server.isRunning());
  });

  it('waits for no connection whose request got its response before its body ended', async (t) => {
    const server = await startServerProcess(await temporaryFolder(t), { HOST: '127.0.0.1' });
    t.after(() => server.kill());
    const early = await connect(t, Number(server.port));
    early.write('POST /api/nada HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n');
    early.write(Buffer.alloc(50_000));
    const [response] = (await once(early, 'data')) as [Buffer];
    assert.match(response.toString(), /^HTTP\/1\.1 403 /);
    // `stop` rejects if the server reaches the time-out of its shutdown.
    await server.stop();
  });

  it('after two SIGINT, which Ctrl+C causes under npm, stops the server only once', async (t) => {
    const server = await startServerProcess(await temporaryFolder(t), { DRAIN_SECONDS: '3' });
    t.after(() => server.kill());
    process.kill(server.pid, 'SIGINT');
    // The kernel merges equal signals that are pending, so the second one waits until the first is handled.
    await until(async () => (await fetch(`${server.url}/readyz`)).status === 503);
    process.kill(server.pid, 'SIGINT');
    // Rejects unless the exit code is 0.
    await server.stop();
    assert.equal(server.log().match(/Error/), null);
  });

  it('to npm start ends the server', async (t) => {
    const dataDir = await temporaryFolder(t);
    const port = String(await findFreePort());
    const npm = spawn('npm', ['start'], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: port,
        DATA_DIR: dataDir,
        DRAIN_SECONDS: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => npm.kill('SIGKILL'));
    const lines = createInterface(npm.stdout);
    await new Promise<void>((resolve) => {
      lines.on('line', (line) => line.startsWith('Acolhe no ar em ') && resolve());
    });
    const lock = path.join(dataDir, 'server.lock');
    assert.ok(existsSync(lock));
    npm.kill('SIGTERM');
    await once(npm, 'exit');
    while (
      await fetch(`http://localhost:${port}/healthz`).then(
        () => true,
        () => false,
      )
    );
    // The next server starts only if the lock is free, that is, if no process is left.
    const again = await startServerProcess(dataDir);
    await again.stop();
  });
});

type Result = { status: number; connection: string | undefined; reused: boolean };

/** Sends a request and reads its response. @returns status 0 when there was no complete response */
async function ask(url: string, agent: Agent): Promise<Result> {
  const sent = request(url, { agent }).end();
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    const { statusCode = 0, headers } = response;
    return { status: statusCode, connection: headers.connection, reused: sent.reusedSocket };
  } catch {
    return { status: 0, connection: undefined, reused: sent.reusedSocket };
  }
}

async function connect(t: TestContext, port: number): Promise<Socket> {
  const socket = createConnection(port, '127.0.0.1');
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  // The system resets connections that the server has not accepted.
  socket.on('error', () => {});
  return socket;
}
