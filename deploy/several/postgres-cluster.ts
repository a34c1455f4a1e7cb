import { execFile, execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findPostgresBinaries } from '#server/testing/peers/postgres.ts';
import { reservePort } from './reserve-port.ts';
import { startTied, type TiedProcess } from './tied-process.ts';

/** PostgreSQL with a synchronous standby under Patroni, which keeps the leader lock in etcd. */
export type PostgresCluster = {
  nodes: readonly PostgresNode[];
  /** Waits until one node is the primary and the other one its synchronous standby. */
  whole(): Promise<{ primary: PostgresNode; standby: PostgresNode }>;
  /** Creates a database on the primary. */
  createDatabase(name: string): Promise<void>;
  stop(): Promise<void>;
};

/** A machine with PostgreSQL and Patroni. */
export type PostgresNode = {
  name: string;
  port: number;
  /** The port of Patroni's REST API. */
  restPort: number;
  isPrimary(): Promise<boolean>;
  /** Kills all processes of PostgreSQL at once. Patroni keeps running. */
  killPostgres(): void;
  /** Kills PostgreSQL and Patroni at once, like the loss of the machine. */
  kill(): Promise<void>;
  start(): void;
  /** Suspends PostgreSQL. With `machine`, also suspends Patroni, as in a paused virtual machine. */
  freeze(what?: 'postgres' | 'machine'): void;
  thaw(): void;
  /** The output of Patroni and PostgreSQL. */
  log(): string;
};

/** A primary that does not renew the leader lock loses it after this time. */
export const lockSeconds = 20;
const timeoutMs = 60_000;
const pollMs = 100;
const owner = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/**
 * The section of Patroni's settings for etcd: `etcd3` uses version 3 of etcd's API, and `etcd` version 2.
 * With version 3, Patroni before 3.0.3 has a bug: when the paused machine of the old primary wakes up, its
 * Patroni takes the lock back from the new primary (https://github.com/patroni/patroni/pull/2689).
 */
const etcdSection = isPatroniBefore('3.0.3') ? 'etcd' : 'etcd3';

/** Starts etcd and two nodes, and waits until both have their roles. */
export async function startPostgresCluster(): Promise<PostgresCluster> {
  const folder = mkdtempSync(path.join(tmpdir(), 'acolhe-cluster-'));
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const [client, peer] = [await reservePort(), await reservePort()];
  const etcdFolder = path.join(folder, 'etcd');
  const etcd = startTied(
    [
      ...['etcd', '--data-dir', etcdFolder, '--log-level', 'error', '--unsafe-no-fsync'],
      ...(etcdSection === 'etcd' ? ['--enable-v2'] : []),
      ...['--listen-client-urls', `http://127.0.0.1:${client}`],
      ...['--advertise-client-urls', `http://127.0.0.1:${client}`],
      ...['--listen-peer-urls', `http://127.0.0.1:${peer}`],
      ...['--initial-advertise-peer-urls', `http://127.0.0.1:${peer}`],
      ...['--initial-cluster', `default=http://127.0.0.1:${peer}`],
    ],
    { owner, cleanUp: `sleep 3; rm -rf ${folder}` },
  );
  const nodes = [await createNode(folder, 'a', client), await createNode(folder, 'b', client)];
  for (const node of nodes) node.start();

  async function whole() {
    for (const until = Date.now() + timeoutMs; ; await wait(pollMs)) {
      for (const [primary, standby] of [nodes, nodes.toReversed()] as [PostgresNode, PostgresNode][])
        if ((await statusOf(primary, '/primary')) === 200 && (await statusOf(standby, '/sync')) === 200)
          return { primary, standby };
      if (Date.now() > until)
        throw new Error(`The cluster has no roles:\n${nodes.map((node) => node.log()).join('\n')}`);
    }
  }

  const stop = async () => {
    for (const node of nodes) await node.kill();
    await etcd.kill();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  await whole().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    nodes,
    whole,
    stop,
    async createDatabase(name) {
      const { primary } = await whole();
      await psql(primary.port, `create database ${name}`);
    },
  };
}

const run = promisify(execFile);

/**
 * Runs one statement with psql, on its own connection. Does not block the event loop, because this process
 * must keep reading PostgreSQL's log. PostgreSQL stops when nothing reads its log.
 * @throws Error with what PostgreSQL says
 */
export async function psql(
  port: number,
  statement: string,
  database = 'postgres',
  timeout = 10_000,
): Promise<string> {
  const url = `postgres://acolhe@127.0.0.1:${port}/${database}?connect_timeout=3`;
  const program = path.join(binaries(), 'psql');
  const { stdout } = await run(program, ['-XAtqc', statement, url], { timeout });
  return stdout.trim();
}

async function createNode(folder: string, name: string, etcdPort: number): Promise<PostgresNode> {
  const [port, restPort] = [await reservePort(), await reservePort()];
  const data = path.join(folder, name);
  const settings = path.join(folder, `${name}.json`);
  // Patroni reads YAML, which includes JSON.
  await writeFile(settings, JSON.stringify(settingsOf({ name, port, restPort, etcdPort, data })));
  if (owner.uid !== undefined) chownSync(settings, owner.uid, owner.gid);
  const log: TiedProcess[] = [];
  let patroni: TiedProcess | undefined;
  let frozen: number[] = [];

  /** The server of PostgreSQL and its child processes; empty when it does not run. */
  const postgresProcesses = (): number[] => {
    try {
      const pid = Number(readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
      const text = execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
      return [pid, ...text.split('\n').filter(Boolean).map(Number)];
    } catch {
      return [];
    }
  };
  const killPostgres = () => signal(postgresProcesses(), 'SIGKILL');

  return {
    name,
    port,
    restPort,
    isPrimary: async () => (await statusOf({ restPort }, '/primary')) === 200,
    killPostgres,
    async kill() {
      const ended = patroni?.kill();
      killPostgres();
      await ended;
      // Kills PostgreSQL again, because Patroni may have restarted it in between.
      killPostgres();
    },
    start() {
      const postgres = `$(head -n 1 ${data}/postmaster.pid)`;
      const cleanUp = `p=${postgres}; pkill -KILL -P $p; kill -KILL $p`;
      patroni = startTied(['patroni', settings], { owner, cleanUp });
      log.push(patroni);
    },
    freeze(what = 'postgres') {
      frozen = [...(what === 'machine' && patroni ? [patroni.pid] : []), ...postgresProcesses()];
      signal(frozen, 'SIGSTOP');
    },
    thaw: () => signal(frozen.splice(0), 'SIGCONT'),
    log: () => log.map((one) => one.log()).join('\n'),
  };
}

function isPatroniBefore(version: string): boolean {
  const installed =
    execFileSync('patroni', ['--version'], { encoding: 'utf8' }).trim().split(' ').at(-1) ?? '';
  return installed.localeCompare(version, 'en', { numeric: true }) < 0;
}

/** Returns the folder with all programs of PostgreSQL. The PATH can have links to only some of them. */
function binaries(): string {
  const found = findPostgresBinaries();
  if (found === undefined) throw new Error('PostgreSQL was not found.');
  return path.dirname(realpathSync(path.join(found, 'postgres')));
}

/** The settings that deploy/haproxy-postgres.cfg recommends. */
function settingsOf(node: { name: string; port: number; restPort: number; etcdPort: number; data: string }) {
  const address = `127.0.0.1:${node.port}`;
  const rest = `127.0.0.1:${node.restPort}`;
  return {
    scope: 'acolhe',
    name: node.name,
    restapi: { listen: rest, connect_address: rest },
    [etcdSection]: { hosts: `127.0.0.1:${node.etcdPort}` },
    bootstrap: {
      dcs: {
        ...{
          ttl: lockSeconds,
          loop_wait: 2,
          retry_timeout: 5,
          primary_start_timeout: 0,
          synchronous_mode: true,
        },
        postgresql: { use_pg_rewind: true, use_slots: true, parameters: { max_connections: 100 } },
      },
      initdb: [
        { encoding: 'UTF8' },
        { locale: 'C' },
        { 'locale-provider': 'icu' },
        { 'icu-locale': 'pt-BR' },
        'data-checksums',
      ],
    },
    postgresql: {
      ...{ listen: address, connect_address: address, data_dir: node.data, bin_dir: binaries() },
      pgpass: `${node.data}.pgpass`,
      authentication: {
        superuser: { username: 'acolhe' },
        replication: { username: 'acolhe' },
        rewind: { username: 'acolhe' },
      },
      parameters: { unix_socket_directories: '' },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
  };
}

/** The status of a path of Patroni's REST API; 0 without a response. */
async function statusOf({ restPort }: Pick<PostgresNode, 'restPort'>, where: string): Promise<number> {
  try {
    const url = `http://127.0.0.1:${restPort}${where}`;
    const response = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(2_000) });
    return response.status;
  } catch {
    return 0;
  }
}

function signal(processes: number[], name: NodeJS.Signals) {
  for (const pid of processes)
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}
