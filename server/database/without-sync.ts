import { AsyncLocalStorage } from 'node:async_hooks';

const unsynced = new AsyncLocalStorage<true>();

/**
 * Acknowledges the commits of `work` on SQLite without waiting for the disk. A power cut can lose the last of
 * these commits; a crash of the process cannot. Changes nothing on PostgreSQL.
 */
export const withoutSync = <Result>(work: () => Promise<Result>): Promise<Result> => unsynced.run(true, work);

export const isWithoutSync = () => unsynced.getStore() === true;
