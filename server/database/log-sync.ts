import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const sync = promisify(fdatasync);

/**
 * Writes SQLite's log (`-wal`) to the disk after commits, without blocking other requests. SQLite's own sync
 * would block them all. A commit is only acknowledged after its sync, and several commits can share one. A
 * log that was synced up to a commit contains it after a power cut: https://www.sqlite.org/wal.html, section
 * 2.1.
 * @param file the database
 */
export function createLogSync(file: string) {
  let descriptor: number | undefined;
  let commits = 0;
  let synced = 0;
  let running: Promise<void> | undefined;

  async function run() {
    const upTo = commits;
    try {
      // The file exists since the first commit, and stays while the database is open.
      descriptor ??= openSync(`${file}-wal`, 'r+');
      await sync(descriptor);
    } catch (error) {
      // The system may have dropped what it could not write, and a second sync would not notice. Only a new
      // start reads what is really on the disk.
      console.error(
        `O disco não gravou o banco de dados (${String(error)}): o servidor parou para nada se perder. Veja o disco e comece de novo.`,
      );
      process.exit(1);
    }
    synced = upTo;
  }

  return {
    /** The number of commits so far. */
    commits: () => commits,

    noteCommit() {
      commits += 1;
    },

    /** Waits until the first `count` commits are on the disk. */
    async wait(count: number) {
      while (synced < count) {
        // A sync that is already running may have begun before the commit.
        running ??= run().finally(() => {
          running = undefined;
        });
        await running;
      }
    },

    async close() {
      await running;
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

export type LogSync = ReturnType<typeof createLogSync>;
