import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findFreePort } from '../free-port.ts';

/** PgBouncer in transaction mode, in front of a PostgreSQL server of the tests. */
export type TestPgBouncer = {
  /** The URL of a database through PgBouncer. */
  urlOf(databaseUrl: string): string;
  stop(): Promise<void>;
};

/** Finds PgBouncer's program. Debian installs it in a folder that only root has on the PATH. */
export function findPgBouncer(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, 'pgbouncer')).find((file) => existsSync(file));
}

/**
 * Starts PgBouncer in transaction mode. Its settings refuse unknown startup parameters, as the default
 * settings do. PgBouncer stops when this process ends.
 */
export async function startPgBouncer(postgresPort: number): Promise<TestPgBouncer> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await startOnce(postgresPort);
    } catch (error) {
      // Another process may have taken the port meanwhile.
      if (attempt === 5) throw error;
    }
}

async function startOnce(postgresPort: number): Promise<TestPgBouncer> {
  const program = findPgBouncer();
  if (program === undefined) throw new Error('PgBouncer was not found. On Debian: apt-get install pgbouncer');
  const folder = mkdtempSync(join(tmpdir(), 'acolhe-pgbouncer-'));
  // PgBouncer refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const port = await findFreePort();
  const users = join(folder, 'users.txt');
  const settings = join(folder, 'pgbouncer.ini');
  await writeFile(users, '"acolhe" ""\n');
  await writeFile(
    settings,
    `[databases]
* = host=127.0.0.1 port=${postgresPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
`,
  );
  // Another test in this process may have set a umask with which only this user could read the files.
  if (owner.uid !== undefined) for (const file of [users, settings]) chownSync(file, owner.uid, owner.gid);
  // Descriptor 3 is a pipe, and only this process holds its other end. When this process ends in any way, the
  // pipe closes, and the shell stops PgBouncer.
  const script = '( cat <&3; kill -KILL $$; rm -rf "$0" ) >/dev/null 2>&1 & exec "$@" 3<&-';
  const bouncer = spawn('/bin/sh', ['-c', script, folder, program, settings], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  await becomeReady(bouncer);
  return {
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl);
      url.port = String(port);
      return url.href;
    },
    async stop() {
      if (bouncer.exitCode === null && bouncer.signalCode === null) {
        bouncer.ref();
        const ended = once(bouncer, 'exit');
        bouncer.kill('SIGKILL');
        await ended;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function becomeReady(bouncer: ChildProcess) {
  let log = '';
  for await (const chunk of bouncer.stderr?.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? []) {
    log += chunk;
    if (log.includes('process up')) {
      bouncer.stderr?.resume();
      bouncer.unref();
      for (const stream of [bouncer.stderr, bouncer.stdio[3]]) if (stream instanceof Socket) stream.unref();
      return;
    }
  }
  const pipe = bouncer.stdio[3];
  if (pipe instanceof Socket) pipe.destroy();
  throw new Error(`PgBouncer did not start: ${log}`);
}
