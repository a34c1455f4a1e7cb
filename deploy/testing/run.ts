import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * Runs a program.
 * @returns its standard output
 * @throws Error with the end of its output, when its exit code is not 0
 */
export async function run(program: string, args: string[], options: SpawnOptions = {}): Promise<string> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === 0) return out;
  throw new Error(`${program} ${args[0] ?? ''} ended with ${code}:\n${`${out}${errors}`.slice(-4_000)}`);
}
