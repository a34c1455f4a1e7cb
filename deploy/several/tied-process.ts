import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';

/** A program that is killed when this process ends, even if SIGKILL ends this process. */
export type TiedProcess = {
  pid: number;
  isRunning(): boolean;
  /** The output so far. */
  log(): string;
  /** Kills the program and waits for its end. */
  kill(): Promise<void>;
};

type Options = {
  env?: Record<string, string>;
  /** A shell command, which runs after this process has ended. */
  cleanUp?: string;
  /** The user who runs the program: PostgreSQL refuses to run as root. */
  owner?: { uid?: number; gid?: number };
};

/** Starts a program. Its output must not be large, because all of it is kept. */
export function startTied(
  command: string[],
  { env = {}, cleanUp = ':', owner = {} }: Options = {},
): TiedProcess {
  // Descriptor 3 is a pipe whose other end only this process holds. When this process ends in any way, the
  // pipe closes, and the shell kills the program.
  const script = '( cat <&3; kill -KILL $$; eval "$0" ) >/dev/null 2>&1 & exec "$@" 3<&-';
  const program: ChildProcess = spawn('/bin/sh', ['-c', script, cleanUp, ...command], {
    ...owner,
    cwd: '/',
    env: { PATH: `${process.env.PATH}:/usr/sbin`, LC_ALL: 'C.UTF-8', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [program.stdout, program.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
    });
  // Neither the program nor its output keeps this process alive.
  program.unref();
  for (const stream of program.stdio) if (stream instanceof Socket) stream.unref();
  const isRunning = () => program.exitCode === null && program.signalCode === null;
  return {
    pid: program.pid ?? 0,
    isRunning,
    log: () => printed,
    async kill() {
      if (!isRunning()) return;
      program.ref();
      const ended = once(program, 'exit');
      program.kill('SIGKILL');
      await ended;
    },
  };
}
