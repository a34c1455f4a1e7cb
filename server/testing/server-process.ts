import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from './free-port.ts';

const root = path.join(import.meta.dirname, '../..');

/** A server in a separate process, started like `npm start`: it runs the last build. */
export type ServerProcess = {
  url: string;
  port: string;
  pid: number;
  /** Milliseconds from the start of the process until it was ready. */
  readyMs: number;
  isRunning(): boolean;
  /** The output so far. It is complete after the process has ended. */
  log(): string;
  /** The path of the one-time link for the first admin, from the log; empty when there is none. */
  firstAdminPath(): string;
  /** Stops the server and waits until it exits. @throws Error when its exit code is not 0 */
  stop(): Promise<void>;
  /** Kills the process with SIGKILL, and waits until it exits. */
  kill(): Promise<void>;
};

/** The running servers. They are killed when this process exits, even if it exits early. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const server of running) server.kill('SIGKILL');
});

/** The `AUTH_SECRET` and the `DIARY_KEY` of servers on PostgreSQL. */
const sharedSecret = 'one secret for all instances of a test';

/** The command line of `npm start`, without npm. */
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: { start: string };
};
const startArguments = scripts.start.replace(/^.* exec env node /, '').split(' ');

/**
 * Starts the server, on a free port unless the environment names one.
 * @param folder the folder of the release to start. Each release runs its own build
 * @throws Error with the server's output when it does not become ready
 */
export async function startServerProcess(
  dataDir: string,
  environment: Record<string, string> = {},
  folder = root,
): Promise<ServerProcess> {
  const port = environment.PORT ?? String(await findFreePort());
  const url = `http://localhost:${port}`;
  const started = performance.now();
  const server = spawn(process.execPath, startArguments, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      PORT: port,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      APP_CHECK_COST: '1',
      DRAIN_SECONDS: '0',
      // A server on PostgreSQL requires a secret.
      ...(environment.DATABASE_URL && { AUTH_SECRET: sharedSecret }),
      // Several servers need the same key. One that was moved to PostgreSQL has a key in its folder.
      ...(environment.DATABASE_URL &&
        !existsSync(path.join(dataDir, 'diary-key')) && { DIARY_KEY: sharedSecret }),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(server);
  server.once('exit', () => running.delete(server));

  let printed = '';
  server.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  const ready = Promise.withResolvers<void>();
  createInterface(server.stdout).on('line', (line) => {
    printed += `${line}\n`;
    if (line.startsWith('Acolhe no ar em ')) ready.resolve();
  });
  // The event `exit` can come before the last output; `close` comes after it.
  let hasEnded = false;
  const ended = once(server, 'close').then(([code]) => {
    hasEnded = true;
    ready.reject(new Error(`The server ended with ${code}:\n${printed}`));
    return code as number | null;
  });
  const end = (signal: 'SIGTERM' | 'SIGKILL') => {
    server.kill(signal);
    return ended;
  };
  await ready.promise;

  return {
    url,
    port,
    pid: server.pid ?? 0,
    readyMs: performance.now() - started,
    isRunning: () => !hasEnded,
    log: () => printed,
    firstAdminPath: () => /https?:\S+(\/primeiro-acesso#\S+)/.exec(printed)?.[1] ?? '',
    stop: async () => {
      const endedAlone = server.exitCode !== null || server.signalCode !== null;
      const code = await end('SIGTERM');
      if (endedAlone) return;
      // The server exits with code 1 when its shutdown takes longer than its time-out.
      if (code !== 0) throw new Error(`The server ended with ${code}.`);
    },
    kill: async () => {
      await end('SIGKILL');
    },
  };
}
