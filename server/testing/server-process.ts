import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from './free-port.ts';

const root = path.join(import.meta.dirname, '../..');

/** The server as `npm start` starts it, in a process of its own. */
export type ServerProcess = {
  url: string;
  port: string;
  pid: number;
  /** From the start of the process until it said it was ready. */
  readyMs: number;
  isRunning(): boolean;
  /** What it has printed so far. */
  log(): string;
  /** The path of the one-time link for the first admin, from the log; empty when there is none. */
  firstAdminPath(): string;
  /** Asks it to end, and waits until it has. @throws Error when it had to cut itself off */
  stop(): Promise<void>;
  /** Ends it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
};

/** What `npm start` gives Node: the same command line, without npm around it. */
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: { start: string };
};
const startArguments = scripts.start.split(' ').slice(1);

/**
 * Starts the server, on a free port unless the environment names one.
 * @throws Error with the server's own words when it does not get ready
 */
export async function startServerProcess(
  dataDir: string,
  environment: Record<string, string> = {},
): Promise<ServerProcess> {
  const port = environment.PORT ?? String(await findFreePort());
  const url = `http://localhost:${port}`;
  const started = performance.now();
  const server = spawn(process.execPath, startArguments, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      PORT: port,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      APP_CHECK_COST: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Should this process end without a word, the server ends too.
  const killWithUs = () => server.kill('SIGKILL');
  process.once('exit', killWithUs);
  server.once('exit', () => process.removeListener('exit', killWithUs));

  let printed = '';
  server.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  const ready = Promise.withResolvers<void>();
  createInterface(server.stdout).on('line', (line) => {
    printed += `${line}\n`;
    if (line.startsWith('Acolhe no ar em ')) ready.resolve();
  });
  server.once('exit', (code) => ready.reject(new Error(`The server ended with ${code}:\n${printed}`)));
  await ready.promise;

  return {
    url,
    port,
    pid: server.pid ?? 0,
    readyMs: performance.now() - started,
    isRunning: () => server.exitCode === null && server.signalCode === null,
    log: () => printed,
    firstAdminPath: () => /https?:\S+(\/primeiro-acesso#\S+)/.exec(printed)?.[1] ?? '',
    stop: () => end(server, 'SIGTERM'),
    kill: () => end(server, 'SIGKILL'),
  };
}

async function end(server: ChildProcess, signal: 'SIGTERM' | 'SIGKILL') {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit') as Promise<[number | null]>;
  server.kill(signal);
  const [code] = await ended;
  // With 1 it was cut off, because something it waited for did not come to an end.
  if (signal === 'SIGTERM' && code !== 0) throw new Error(`The server ended with ${code}.`);
}
