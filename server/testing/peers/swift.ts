import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, chmodSync, constants } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { Environment } from '../../environment.ts';
import { findFreePort } from '../free-port.ts';

const kinds = ['account', 'container', 'object'] as const;
const binaries = '/usr/bin';
const timeoutMs = 60_000;

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
  /** Starts the server again, with its data. */
  start(): Promise<void>;
  /** Creates another bucket. */
  addBucket(): Promise<S3>;
  /** Stops the server and deletes its data. */
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

/** Starts Swift in a new folder. Swift stops when this process ends, in any way. */
export async function startSwift(): Promise<SwiftServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-swift-'));
  chmodSync(folder, 0o700);
  await mkdir(path.join(folder, 'devices', 'd1'), { recursive: true });
  const ports = { account: 0, container: 0, object: 0, proxy: 0 };
  for (const name of [...kinds, 'proxy'] as const) ports[name] = await findFreePort();
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
[filter:cache]
paste.filter_factory = __main__:create_cache
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

  let servers: ChildProcess | undefined;
  const s3: S3 = {
    endpoint: `http://127.0.0.1:${ports.proxy}`,
    bucket: 'arquivos',
    region: 'us-east-1',
    accessKeyId: 'acolhe:testes',
    secretAccessKey: 'segredo',
  };
  const start = async () => {
    servers = spawnServers(folder, ports);
    await createBucket(s3, servers);
  };
  const stop = async () => {
    if (servers) await end(servers);
    servers = undefined;
  };
  process.once('exit', () => servers?.kill());
  await start();
  return {
    ...s3,
    start,
    stop,
    async addBucket() {
      const added = { ...s3, bucket: `arquivos-${randomBytes(4).toString('hex')}` };
      await withClient(added, (client, Bucket) => client.send(new CreateBucketCommand({ Bucket })));
      return added;
    },
    async remove() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Builds Swift's rings (the tables that say which server stores an object). Then it runs all servers in one
 * program, because each start of Debian's Python with Swift takes a second. SIGTERM kills the servers. When
 * one server or the program exits, all servers exit.
 */
const program = `
import ctypes
import os
import signal
import sys
from time import time as now
import eventlet.patcher
# Swift does this in each server. It takes a second there, and very little before the other imports.
eventlet.patcher.monkey_patch(all=False, socket=True, select=True, thread=True)
import swift.account.server
import swift.container.server
import swift.obj.server
import swift.proxy.server
from swift.common.ring import RingBuilder
from swift.common.wsgi import run_wsgi

folder, *servers = sys.argv[1:]
kinds = [server.split(':') for server in servers]
for kind, port in kinds:
    if kind == 'proxy':
        continue
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd1', 'weight': 1})
    builder.rebalance()
    builder.get_ring().save(f'{folder}/{kind}.ring.gz')

class Cache:
    # Swift would ask memcached. Without a cache, each request also asks the servers of accounts and containers.
    def __init__(self):
        self.values = {}
    def get(self, key, **_):
        value, expires = self.values.get(key, (None, 0))
        return value if now() < expires else None
    def set(self, key, value, time=0, **_):
        self.values[key] = (value, now() + (time or 86400))
    def delete(self, key, **_):
        self.values.pop(key, None)

def create_cache(*_, **__):
    cache = Cache()
    def create(app):
        def respond(env, start_response):
            env['swift.cache'] = cache
            return app(env, start_response)
        return respond
    return create

def run(kind):
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    options = {'global_conf_callback': swift.obj.server.global_conf_callback} if kind == 'object' else {}
    sys.exit(run_wsgi(f'{folder}/{kind}.conf', f'{kind}-server', verbose=True, **options))

children = []

def stop(*_):
    for child in children:
        os.kill(child, signal.SIGKILL)
    for child in children:
        os.waitpid(child, 0)
    os._exit(0)

for kind, _ in kinds:
    child = os.fork()
    if child == 0:
        run(kind)
    children.append(child)
signal.signal(signal.SIGTERM, stop)
os.wait()
sys.exit(1)
`;

function spawnServers(folder: string, ports: Record<string, number>): ChildProcess {
  // Descriptor 3 is a pipe, and only this process holds its other end. When this process ends in any way, the
  // pipe closes, and the shell stops the servers. Swift ignores a signal to the process group, so the shell
  // must survive it, too.
  const script = '( trap "" TERM INT; cat <&3; kill -KILL $$ ) >/dev/null 2>&1 & exec "$@" 3<&-';
  const names = Object.entries(ports).map(([kind, port]) => `${kind}:${port}`);
  const command = [path.join(binaries, 'python3'), '-c', program, folder, ...names];
  const servers = spawn('/bin/sh', ['-c', script, 'swift', ...command], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  servers.unref();
  for (const stream of servers.stdio) if (stream instanceof Socket) stream.unref();
  servers.stdout?.resume();
  servers.stderr?.resume();
  return servers;
}

const clientOf = (s3: S3) =>
  new S3Client({
    endpoint: s3.endpoint,
    region: s3.region,
    credentials: s3,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    maxAttempts: 1,
  });

async function withClient<Result>(
  s3: S3,
  work: (client: S3Client, bucket: string) => Promise<Result>,
): Promise<Result> {
  const client = clientOf(s3);
  try {
    return await work(client, s3.bucket);
  } finally {
    client.destroy();
  }
}

/** Returns the keys of all objects in a bucket. */
export const listObjects = (s3: S3): Promise<string[]> =>
  withClient(s3, async (client, Bucket) => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    return Contents.map(({ Key = '' }) => Key);
  });

/** Creates the bucket as soon as all servers respond. */
async function createBucket(s3: S3, servers: ChildProcess) {
  const probe = { Bucket: s3.bucket, Key: 'probe' };
  const client = clientOf(s3);
  for (const until = Date.now() + timeoutMs; ; ) {
    try {
      await client.send(new CreateBucketCommand({ Bucket: s3.bucket })).catch(unlessItExists);
      // A bucket needs only the servers of accounts and containers; an object also needs the object server.
      await client.send(new PutObjectCommand({ ...probe, Body: 'a' }));
      await client.send(new DeleteObjectCommand(probe));
      break;
    } catch (error) {
      if (Date.now() > until || servers.exitCode !== null)
        throw new Error('Swift did not start.', { cause: error });
      await wait(200);
    }
  }
  client.destroy();
}

function unlessItExists(error: Error) {
  if (error.name !== 'BucketAlreadyOwnedByYou') throw error;
}

async function end(servers: ChildProcess) {
  if (servers.exitCode !== null || servers.signalCode !== null) return;
  servers.ref();
  const ended = once(servers, 'exit');
  servers.kill();
  await ended;
}
