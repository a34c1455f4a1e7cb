import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CreateBucketCommand, DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { Environment } from '../environment.ts';
import { findFreePort } from './free-port.ts';

const kinds = ['account', 'container', 'object'] as const;
const binaries = '/usr/bin';
const patienceMs = 60_000;

type S3 = NonNullable<Environment['s3']>;

/** The environment variables that make a server store its files in S3. */
export const s3Environment = (s3: S3) => ({
  S3_ENDPOINT: s3.endpoint,
  S3_BUCKET: s3.bucket,
  S3_REGION: s3.region,
  S3_ACCESS_KEY_ID: s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
});

/** OpenStack Swift with its S3 API on a free port of the loopback interface, with an empty bucket. */
export type SwiftServer = S3 & {
  stop(): Promise<void>;
  /** Starts it again with its data. */
  start(): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
};

/** True if Debian's packages of Swift are installed. */
export function hasSwift(): boolean {
  try {
    for (const kind of [...kinds, 'proxy'])
      accessSync(path.join(binaries, `swift-${kind}-server`), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts Swift in a new folder. It ends when this process ends in any way. */
export async function startSwift(): Promise<SwiftServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-swift-'));
  chmodSync(folder, 0o700);
  await mkdir(path.join(folder, 'devices', 'd1'), { recursive: true });
  const ports = { account: 0, container: 0, object: 0, proxy: 0 };
  for (const name of [...kinds, 'proxy'] as const) ports[name] = await findFreePort();
  buildRings(folder, ports);
  const common = `[DEFAULT]
bind_ip = 127.0.0.1
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
log_level = WARNING
`;
  for (const kind of kinds)
    await writeFile(
      path.join(folder, `${kind}.conf`),
      `${common}bind_port = ${ports[kind]}
devices = ${path.join(folder, 'devices')}
mount_check = false
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`,
    );
  await writeFile(
    path.join(folder, 'proxy.conf'),
    `${common}bind_port = ${ports.proxy}
[pipeline:main]
pipeline = catch_errors cache s3api tempauth slo proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
# Asked for, and never there: nothing depends on it.
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_acolhe_testes = segredo .admin
[filter:slo]
use = egg:swift#slo
rate_limit_under_size = 0
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# Otherwise the proxy avoids a server for a minute that it tried to reach ten times while it was starting.
error_suppression_limit = 1000000
`,
  );

  let servers: ChildProcess[] = [];
  const s3: S3 = {
    endpoint: `http://127.0.0.1:${ports.proxy}`,
    bucket: 'arquivos',
    region: 'us-east-1',
    accessKeyId: 'acolhe:testes',
    secretAccessKey: 'segredo',
  };
  const start = async () => {
    servers = ([...kinds, 'proxy'] as const).map((name) => spawnServer(folder, name));
    await createBucket(s3, servers);
  };
  const stop = async () => {
    await Promise.all(servers.map(end));
    servers = [];
  };
  process.once('exit', () => {
    for (const server of servers) server.kill('SIGKILL');
  });
  await start();
  return {
    ...s3,
    start,
    stop,
    async remove() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One program for all rings, because each start of Debian's Python with Swift takes a second. */
const ringBuilder = `
import sys
from swift.common.ring import RingBuilder
folder, *rings = sys.argv[1:]
for kind, port in (ring.split(':') for ring in rings):
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd1', 'weight': 1})
    builder.rebalance()
    builder.get_ring().save(f'{folder}/{kind}.ring.gz')
`;

function buildRings(folder: string, ports: Record<(typeof kinds)[number], number>) {
  const rings = kinds.map((kind) => `${kind}:${ports[kind]}`);
  const { status, stdout, stderr, error } = spawnSync(
    path.join(binaries, 'python3'),
    ['-c', ringBuilder, folder, ...rings],
    { encoding: 'utf8' },
  );
  if (status !== 0)
    throw new Error(`The rings of Swift were not built: ${stdout}${stderr}${error?.message ?? ''}`);
}

function spawnServer(folder: string, name: string): ChildProcess {
  // Only this process holds descriptor 3, a pipe. When the process ends in any way, the pipe closes and stops
  // the server, also after a signal to the process group, which Swift ignores.
  const script = '( trap "" TERM INT; cat <&3; kill -KILL $$ ) >/dev/null 2>&1 & exec "$@" 3<&-';
  const command = [
    path.join(binaries, `swift-${name}-server`),
    path.join(folder, `${name}.conf`),
    '--verbose',
  ];
  const server = spawn('/bin/sh', ['-c', script, 'swift', ...command], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  server.unref();
  for (const stream of server.stdio) if (stream instanceof Socket) stream.unref();
  server.stdout?.resume();
  server.stderr?.resume();
  return server;
}

/** Creates the bucket as soon as all servers respond. */
async function createBucket(s3: S3, servers: ChildProcess[]) {
  const probe = { Bucket: s3.bucket, Key: 'probe' };
  const client = new S3Client({
    endpoint: s3.endpoint,
    region: s3.region,
    credentials: s3,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    maxAttempts: 1,
  });
  for (const until = Date.now() + patienceMs; ; ) {
    try {
      await client.send(new CreateBucketCommand({ Bucket: s3.bucket })).catch(unlessItExists);
      // The bucket needs only the servers of accounts and containers; this needs the one of objects.
      await client.send(new PutObjectCommand({ ...probe, Body: 'a' }));
      await client.send(new DeleteObjectCommand(probe));
      break;
    } catch (error) {
      if (Date.now() > until || servers.some(({ exitCode }) => exitCode !== null))
        throw new Error('Swift did not start.', { cause: error });
      await wait(200);
    }
  }
  client.destroy();
}

function unlessItExists(error: Error) {
  if (error.name !== 'BucketAlreadyOwnedByYou') throw error;
}

async function end(server: ChildProcess) {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.ref();
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}
