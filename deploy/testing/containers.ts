import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { ImageSettings } from './images.ts';
import { run } from './run.ts';

export type Container = {
  /** The output so far. */
  log(): string;
  /** Sends SIGTERM. @returns the exit code and the milliseconds until the exit */
  stop(): Promise<{ code: number | null; milliseconds: number }>;
};

type Place = { root: string; dataDir: string; settings: ImageSettings; env: Record<string, string> };

/**
 * Runs a program with an unpacked image as its read-only root, and with a volume. The program runs as the
 * image's user, cannot get more privileges, and has the process id 1.
 */
const enter = `
set -e
mount --bind "$1" "$1"
mount --bind "$2" "$1/data"
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount -o remount,bind,ro "$1"
root="$1" user="$3" folder="$4"
shift 4
exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$root" /usr/bin/env -i -C "$folder" "$@"
`;

function argumentsOf({ root, dataDir, settings, env }: Place, command: string[]): string[] {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [
    ...['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', enter, 'sh'],
    ...[root, dataDir, settings.User, settings.WorkingDir, ...settings.Env, ...variables, ...command],
  ];
}

/** Runs a program other than the server in a container. @returns its output. @throws Error when it fails */
export function runInContainer(place: Place, command: string[]): Promise<string> {
  return run('unshare', argumentsOf(place, command));
}

/** Starts the program of the image, and waits until it prints `ready`. @throws Error when it ends first */
export async function startContainer(place: Place, ready: string): Promise<Container> {
  const container = spawn('unshare', argumentsOf(place, place.settings.Cmd), {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Also ends the container when the tests end early.
  const kill = () => container.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(container, 'exit') as Promise<[number | null]>;
  void ended.then(() => process.off('exit', kill));
  let printed = '';
  container.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  const isReady = Promise.withResolvers<void>();
  createInterface(container.stdout).on('line', (line) => {
    printed += `${line}\n`;
    if (line.includes(ready)) isReady.resolve();
  });
  container.once('exit', (code) =>
    isReady.reject(new Error(`The container ended with ${code}:\n${printed}`)),
  );
  await isReady.promise;
  return {
    log: () => printed,
    async stop() {
      const begun = performance.now();
      process.kill(firstProcessOf(container.pid ?? 0), 'SIGTERM');
      const [code] = await ended;
      return { code, milliseconds: performance.now() - begun };
    },
  };
}

/** Returns the id, on the host, of the container's first process. */
function firstProcessOf(unshare: number): number {
  return Number.parseInt(readFileSync(`/proc/${unshare}/task/${unshare}/children`, 'utf8'), 10);
}
