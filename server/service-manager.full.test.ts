import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { startServerProcess } from './testing/server-process.ts';
import { until } from './testing/until.ts';

const root = path.join(import.meta.dirname, '..');
const clients = 16;

/**
 * A small service manager. It holds the socket as its descriptor 3, and starts the program again each time
 * the program exits with code 0.
 */
const manager = 'while sh -c \'echo pid $$; LISTEN_PID=$$ exec "$0" "$@"\' "$0" "$@"; do :; done; exit 1';

describe('a listening socket of systemd', () => {
  it(`refuses no connection and fails no request of ${clients} clients in three restarts`, async (t) => {
    const { url, restart } = await startWithSocket(t, { LISTEN_FDS: '1', DRAIN_SECONDS: '1' });
    const failures: string[] = [];
    let responses = 0;
    let over = false;
    const asking = Array.from({ length: clients }, async (_, client) => {
      // Half of the clients open a connection for each request; the others keep one connection.
      const agent = new Agent({ keepAlive: client % 2 === 0, maxSockets: 1 });
      for (let turn = 0; !over; turn += 1) {
        const target = turn % 2 ? '/api/documents/activities/mindActsList' : '/about';
        const result = await ask(url + target, agent).catch((error: NodeJS.ErrnoException) => error.code);
        if (result === 200) responses += 1;
        else failures.push(`${client}: ${result}`);
        await nextTurn();
      }
      agent.destroy();
    });
    const reach = async (count: number) => {
      while (responses < count) await nextTurn();
    };
    for (let round = 0; round < 3; round += 1) {
      await reach(responses + 200);
      await restart();
    }
    await reach(responses + 200);
    over = true;
    await Promise.all(asking);
    assert.deepEqual(failures, []);
  });

  it('is not taken by a process that only inherited its variables', async (t) => {
    const server = await start(t, { LISTEN_FDS: '1', LISTEN_PID: '1' });
    assert.equal(await ask(`${server.url}/healthz`, new Agent()), 200);
  });

  it('stops the start when there are several', async (t) => {
    await assert.rejects(
      startWithSocket(t, { LISTEN_FDS: '2' }),
      /^Error: ended with 1: O systemd entregou 2 sockets: deixe um só ListenStream=/,
    );
  });
});

describe('systemd', { skip: process.platform !== 'linux' && 'systemd is only on Linux' }, () => {
  it('gets the message that the server is ready', async (t) => {
    const folder = await temporaryFolder(t);
    const socket = path.join(folder, 'notify');
    // systemd-socket-activate opens the datagram socket, and starts the reader, `dd`, at the first message.
    const receiver = spawn(
      'systemd-socket-activate',
      ['--datagram', `--listen=${socket}`, 'sh', '-c', 'dd bs=64 count=1 status=none <&3'],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    t.after(() => receiver.kill('SIGKILL'));
    const message = text(receiver.stdout);
    await once(receiver.stderr, 'data');
    await start(t, { NOTIFY_SOCKET: socket });
    assert.match(await message, /^READY=1/);
  });

  it('sees a failed start when the message cannot be sent', async (t) => {
    const folder = await temporaryFolder(t);
    const server = await start(t, { NOTIFY_SOCKET: path.join(folder, 'missing') });
    await until(async () => !server.isRunning());
    assert.match(server.log(), /^O aviso ao systemd de que o servidor está pronto falhou/m);
    await assert.rejects(ask(`${server.url}/healthz`, new Agent()));
  });
});

async function start(t: TestContext, environment: Record<string, string>) {
  const server = await startServerProcess(await temporaryFolder(t), environment);
  t.after(() => server.kill());
  return server;
}

/** Starts the server under the manager. @returns `restart`, which resolves when the next server is ready */
async function startWithSocket(t: TestContext, environment: Record<string, string>) {
  const opener = createServer().listen(0, '127.0.0.1');
  await once(opener, 'listening');
  const { port } = opener.address() as AddressInfo;
  const { fd } = (opener as unknown as { _handle: { fd: number } })._handle;
  const program = spawn('sh', ['-c', manager, process.execPath, 'dist/server/main.js'], {
    cwd: root,
    env: {
      ...{ PATH: process.env.PATH, DATA_DIR: await temporaryFolder(t), LOG_LEVEL: 'warn' },
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', fd],
    // Starts a process group, so that one signal ends the manager and the server.
    detached: true,
  });
  opener.close();
  t.after(() => endGroup(program));
  let pid = 0;
  let errors = '';
  let ready = Promise.withResolvers<void>();
  program.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  createInterface(program.stdout as Readable).on('line', (line) => {
    pid = Number(/^pid (\d+)$/.exec(line)?.[1] ?? pid);
    if (line.startsWith('Acolhe no ar em ')) ready.resolve();
  });
  program.once('close', (code) => ready.reject(new Error(`ended with ${code}: ${errors}`)));
  await ready.promise;
  return {
    url: `http://127.0.0.1:${port}`,
    async restart() {
      ready = Promise.withResolvers<void>();
      process.kill(pid, 'SIGTERM');
      await ready.promise;
    },
  };
}

async function endGroup(program: ChildProcess) {
  if (program.exitCode !== null || program.pid === undefined) return;
  const ended = once(program, 'exit');
  process.kill(-program.pid, 'SIGKILL');
  await ended;
}

/** @throws Error when the connection fails, or ends before the response is complete */
async function ask(url: string, agent: Agent): Promise<number | undefined> {
  const [response] = (await once(request(url, { agent }).end(), 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-socket-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
