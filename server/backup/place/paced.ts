import { constants, getPriority } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { BackupStore } from './backup-store.ts';

/** The process rests when it has used this much processor time since its last rest, in milliseconds. */
const workMs = 1;
/** For each millisecond of processor time, the process rests this many milliseconds. */
const restRatio = 3;

/** True if this process has the lowest priority, which `runInBackground` gives. */
export const isInBackground = () => getPriority() === constants.priority.PRIORITY_LOW;

/**
 * Makes the process rest between the parts of an object, so that it uses at most a quarter of one processor.
 * Requests that arrive while it rests need not wait for it. A low priority alone is not enough: Linux
 * finishes a system call, such as a write to the disk, before it gives the processor to another process.
 */
export function pacedStore(store: BackupStore): BackupStore {
  return {
    ...store,
    write: (name, content) => store.write(name, Readable.from(paced(content))),
    read: async (name) => Readable.from(paced(await store.read(name))),
  };
}

async function* paced(content: AsyncIterable<Uint8Array>) {
  let before = usedMs();
  for await (const part of content) {
    yield part;
    const now = usedMs();
    const workedMs = now - before;
    if (workedMs < workMs) continue;
    before = now;
    await setTimeout(workedMs * restRatio);
  }
}

/** The processor time that this process has used so far, in milliseconds. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
