import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { PostgresCluster } from './postgres-cluster.ts';
import { reservePort } from './reserve-port.ts';
import { startTied } from './tied-process.ts';

export type ServerState = { backend: string; server: string; state: string };

const folder = path.join(import.meta.dirname, '..');

/** HAProxy with the configuration files of `deploy/`. */
export type LoadBalancer = {
  /** The site's public URL. */
  url: string;
  /** The ports that the three instances must listen on. */
  ports: [number, number, number];
  /** The port of the writable PostgreSQL server. */
  postgresPort: number;
  log(): string;
  /** The path of the socket for HAProxy's statistics. */
  socket: string;
  /** The state of each server in HAProxy's statistics, for example `UP`. */
  states(): Promise<ServerState[]>;
  stop(): Promise<void>;
};

/** @param cluster without it, HAProxy does not listen for PostgreSQL */
export async function startLoadBalancer(cluster?: PostgresCluster): Promise<LoadBalancer> {
  const port = await reservePort();
  const ports: [number, number, number] = [await reservePort(), await reservePort(), await reservePort()];
  const postgresPort = await reservePort();
  const own = mkdtempSync(path.join(tmpdir(), 'acolhe-haproxy-'));
  const socket = path.join(own, 'stats.sock');
  const files = ['haproxy.cfg', ...(cluster ? ['haproxy-postgres.cfg'] : [])];
  const [a, b, c] = ports.map((one) => `127.0.0.1:${one}`);
  const env = {
    ...{ ACOLHE_BIND: `127.0.0.1:${port}`, ACOLHE_A: `${a}`, ACOLHE_B: `${b}`, ACOLHE_C: `${c}` },
    HAPROXY_SOCKET: socket,
    POSTGRES_BIND: `127.0.0.1:${postgresPort}`,
    ...Object.fromEntries(
      (cluster?.nodes ?? []).flatMap((node) => [
        [`POSTGRES_${node.name.toUpperCase()}`, `127.0.0.1:${node.port}`],
        [`PATRONI_${node.name.toUpperCase()}_PORT`, String(node.restPort)],
      ]),
    ),
  };
  const arguments_ = files.flatMap((file) => ['-f', path.join(folder, file)]);
  const haproxy = startTied(['haproxy', '-db', ...arguments_], { env, cleanUp: `rm -rf ${own}` });
  const url = `http://localhost:${port}`;
  while (!(await accepts(url))) {
    if (!haproxy.isRunning()) throw new Error(`HAProxy ended:\n${haproxy.log()}`);
    await wait(50);
  }
  // Until its first checks, HAProxy treats every server as writable.
  const writable = async () =>
    (await readStates(socket)).filter(
      ({ backend, server, state }) => backend === 'postgres' && /^[ab]$/.test(server) && state === 'UP',
    ).length;
  while (cluster && (await writable()) !== 1) await wait(50);
  return {
    ...{ url, ports, postgresPort, socket, log: haproxy.log },
    states: () => readStates(socket),
    async stop() {
      await haproxy.kill();
      await rm(own, { recursive: true, force: true });
    },
  };
}

async function readStates(socket: string): Promise<ServerState[]> {
  const connection = connect(socket);
  connection.end('show stat\n');
  const [names = '', ...lines] = (await text(connection)).trim().split('\n');
  const columns = names.replace('# ', '').split(',');
  return lines.map((line) => {
    const values = line.split(',');
    const read = (name: string) => values[columns.indexOf(name)] ?? '';
    return { backend: read('pxname'), server: read('svname'), state: read('status') };
  });
}

const accepts = (url: string) =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return true;
    },
    () => false,
  );
