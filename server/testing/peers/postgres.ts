import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findFreePort } from '../free-port.ts';

/** A PostgreSQL server of a test run, with temporary data. */
export type TestPostgres = {
  /** The URL of the database `postgres`; its user can create other databases. */
  url: string;
  port: number;
  /** The id of the server's main process. It changes with each `start`. */
  pid(): number;
  /** Stops the server and deletes its data. */
  stop(): Promise<void>;
  /**
   * Stops the server and keeps its data. SIGINT stops it like `pg_ctl stop -m fast`; SIGKILL kills all its
   * processes at once.
   */
  end(signal: 'SIGINT' | 'SIGKILL'): Promise<void>;
  /** Starts the server again, with the same data and port. */
  start(): Promise<void>;
  /** Suspends all processes of the server: connections stay open and get no response. */
  freeze(): void;
  thaw(): void;
};

const debianRoot = '/usr/lib/postgresql';

/** Finds the folder that contains `initdb` and `postgres`: the first on PATH, else Debian's newest. */
export function findPostgresBinaries(): string | undefined {
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const ofDebian = existsSync(debianRoot)
    ? readdirSync(debianRoot)
        .sort((a, b) => Number(b) - Number(a))
        .map((version) => join(debianRoot, version, 'bin'))
    : [];
  return [...onPath, ...ofDebian].find((folder) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(folder, program))),
  );
}

/**
 * Starts a real PostgreSQL on a free port of the loopback interface. `stop()` stops it and deletes its data.
 * The same happens when this process ends, even by SIGKILL.
 * @param durable true if commits must be on the disk before they are acknowledged, as in production; most
 * tests do not need this
 * @throws Error with the server's output when it does not start
 */
export async function startPostgres({ durable = false } = {}): Promise<TestPostgres> {
  const binaries = findPostgresBinaries();
  if (binaries === undefined)
    throw new Error('PostgreSQL was not found (initdb, postgres). On Debian: apt-get install postgresql');
  const folder = mkdtempSync(join(tmpdir(), 'acolhe-postgres-'));
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');

  try {
    // Uses a linguistic collation, as most installations do. A query that needs another order must specify
    // this order.
    const made = spawnSync(
      join(binaries, 'initdb'),
      [
        ...['--pgdata', data, '--username=acolhe', '--auth=trust', '--encoding=UTF8', '--no-sync'],
        ...['--locale=C', '--locale-provider=icu', '--icu-locale=pt-BR'],
      ],
      { ...owner, cwd: folder, encoding: 'utf8' },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error?.message}`);

    for (let attempt = 1; ; attempt += 1) {
      const port = await findFreePort();
      const place = { binaries, folder, data, port, owner, durable };
      const server = spawnServer(place);
      const failure = await becomeReady(server);
      if (failure === undefined) return handle(place, server);
      // Another process may have taken the port meanwhile.
      if (attempt === 5 || !failure.includes('could not bind')) throw new Error(failure);
    }
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

function handle(place: ServerPlace, first: ChildProcess): TestPostgres {
  let server = first;
  let frozen: number[] = [];
  const thaw = () => {
    for (const pid of frozen.splice(0)) signalIfThere(pid, 'SIGCONT');
  };
  return {
    url: `postgres://acolhe@127.0.0.1:${place.port}/postgres`,
    port: place.port,
    pid: () => server.pid ?? 0,
    async end(signal) {
      const processes = signal === 'SIGKILL' ? processesOf(server) : [server.pid ?? 0];
      const ended = waitForEnd(server);
      for (const pid of processes) signalIfThere(pid, signal);
      await ended;
    },
    async start() {
      // Processes of a killed server may keep its shared memory for a moment, so the first starts can fail.
      for (let attempt = 1; ; attempt += 1) {
        server = spawnServer(place);
        const failure = await becomeReady(server);
        if (failure === undefined) return;
        if (attempt === 50) throw new Error(failure);
      }
    },
    freeze() {
      frozen = processesOf(server);
      for (const pid of frozen) signalIfThere(pid, 'SIGSTOP');
    },
    thaw,
    async stop() {
      thaw();
      const ended = waitForEnd(server);
      server.kill('SIGQUIT');
      await ended;
      await rm(place.folder, { recursive: true, force: true });
    },
  };
}

/** Returns the ids of the server's process and its child processes, which include one per connection. */
function processesOf({ pid = 0 }: ChildProcess): number[] {
  const { stdout } = spawnSync('pgrep', ['-x', '-P', String(pid), 'postgres'], { encoding: 'utf8' });
  return [pid, ...stdout.split('\n').filter(Boolean).map(Number)];
}

function signalIfThere(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

type ServerPlace = {
  binaries: string;
  folder: string;
  data: string;
  port: number;
  owner: { uid?: number; gid?: number };
  durable: boolean;
};

function spawnServer({ binaries, folder, data, port, owner, durable }: ServerPlace): ChildProcess {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ];
  // Descriptor 3 is a pipe, and only this process holds its other end. When this process ends in any way, the
  // pipe closes, and the shell stops the server.
  const script =
    '( cat <&3; kill -QUIT $$; kill -CONT $$; n=0; while kill -0 $$ && [ $n -lt 50 ]; do n=$((n+1)); sleep 0.1; done; ' +
    'rm -rf "$0" ) >/dev/null 2>&1 & exec "$@" 3<&-';
  const command = [join(binaries, 'postgres'), '-D', data, '-p', String(port)];
  return spawn('/bin/sh', ['-c', script, folder, ...command, ...settings.flatMap((one) => ['-c', one])], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
}

/** Waits until the server is ready. If the server exits instead, returns its output. */
async function becomeReady(server: ChildProcess): Promise<string | undefined> {
  const { stderr } = server;
  let log = '';
  let isReady = false;
  const decided = Promise.withResolvers<void>();
  // Reads for as long as the server runs, because the server blocks when nothing reads its log.
  stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    if (isReady) return;
    log += chunk;
    isReady = log.includes('ready to accept connections');
    if (isReady) decided.resolve();
  });
  stderr?.once('close', decided.resolve);
  await decided.promise;
  if (!isReady) return `PostgreSQL did not start: ${log}`;
  // From here on neither the server nor its log keeps a test process alive.
  server.unref();
  for (const stream of [stderr, server.stdio[3]]) if (stream instanceof Socket) stream.unref();
  return undefined;
}

async function waitForEnd(server: ChildProcess) {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.ref();
  await once(server, 'exit');
}
