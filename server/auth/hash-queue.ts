import { AppError } from '../errors.ts';

/**
 * Runs the hashing of passwords a few at a time. One takes some 85 ms and 32 MiB on a thread that files are read
 * on, too; so a flood of logins must neither take all threads nor pile up.
 * @param running how many hash at once
 * @param waiting how many may wait; further ones are refused
 */
export function createHashQueue({ running, waiting }: { running: number; waiting: number }) {
  const queue: (() => void)[] = [];
  let active = 0;

  /** @throws AppError `server/unavailable` when too many wait already */
  function requireRoom() {
    if (active >= running && queue.length >= waiting) throw new AppError('server/unavailable');
  }

  async function inQueue<Result>(work: () => Promise<Result>): Promise<Result> {
    requireRoom();
    if (active >= running) {
      // Whoever ends hands its place over, so that nobody who comes later slips in before.
      await new Promise<void>((resolve) => queue.push(resolve));
    } else {
      active += 1;
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else active -= 1;
    }
  }

  return { inQueue, requireRoom };
}
