import type { Database } from '../database/connect.ts';
import { StartError } from '../environment.ts';
import type { BackupStore } from './place/backup-store.ts';
import { noteCheck } from './runs.ts';
import { DamagedBackup } from './snapshot/digested-lines.ts';
import { timeText } from './snapshot/snapshot-times.ts';
import { verifySnapshot } from './verify.ts';

/**
 * Reads every byte of a snapshot, and notes in the database what it has found.
 * @throws StartError when something is damaged; the reason of `signal` when it is aborted
 */
export async function checkSnapshot(
  database: Database,
  store: BackupStore,
  snapshot: string,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<void> {
  const damaged = await verifySnapshot(store, snapshot, { signal }).then(
    (found) => found.damaged,
    (error: unknown) => {
      if (!(error instanceof DamagedBackup)) throw error;
      return ['a lista das suas partes'];
    },
  );
  await noteCheck(database, snapshot, damaged.length, now);
  if (damaged.length > 0)
    throw new StartError(`o backup de ${timeText(snapshot)} está danificado: ${damaged.join(', ')}`);
}
