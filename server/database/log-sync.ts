import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';

const sync = promisify(fdatasync);

/**
 * Writes SQLite's log (`-wal`) to the disk after commits, without blocking other requests. SQLite's own sync
 * would block all of them. The server acknowledges a commit only after a sync, which several commits can
 * share. After a power cut, the log contains every commit up to its last sync:
 * https://www.sqlite.org/wal.html, section 2.1.
 * @param file the path of the database
 */
export function createLogSync(file: string) {
  let descriptor: number | undefined;
  let commits = 0;
  let synced = 0;
  let running: Promise<void> | undefined;

  async function run() {
    const upTo = commits;
    try {
      // This file exists after the first commit, and stays while the database is open.
      descriptor ??= openSync(`${file}-wal`, 'r+');
      await sync(descriptor);
    } catch (error) {
      // After a failed sync, the operating system may have dropped the data, and a second sync would not
      // report that. Only a restarted server reads what is really on the disk.
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
        // A running sync may have begun before the commit. The loop then starts another one.
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

const unsynced = new AsyncLocalStorage<true>();

/**
 * Acknowledges the commits of `work` on SQLite without waiting for the disk. A power cut can lose the last of
 * these commits; a crash of the process cannot. Changes nothing on PostgreSQL.
 */
export const withoutSync = <Result>(work: () => Promise<Result>): Promise<Result> => unsynced.run(true, work);

export const isWithoutSync = () => unsynced.getStore() === true;
