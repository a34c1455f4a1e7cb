import type { Gauge, Registry } from 'prom-client';
import type { Database } from '../database/connect.ts';
import { type BackupRun, listRuns } from './runs.ts';

type Made = BackupRun & { finishedAt: number };

const isMade = (run: BackupRun): run is Made => run.finishedAt !== null;

/**
 * The metrics. `value` gets the complete backups, newest first. It returns undefined if the metric has no
 * value.
 */
const metrics: { name: string; help: string; value: (made: Made[]) => number | undefined }[] = [
  {
    name: 'acolhe_backup_last_success_seconds',
    help: 'The time of the last complete backup, in seconds since 1970.',
    value: ([last]) => last && last.finishedAt / 1_000,
  },
  {
    name: 'acolhe_backup_last_duration_seconds',
    help: 'How long the last complete backup took.',
    value: ([last]) => last && (last.finishedAt - last.startedAt) / 1_000,
  },
  {
    name: 'acolhe_backup_last_stored_bytes',
    help: 'What the last complete backup added to the destination of the backups.',
    value: ([last]) => last?.storedBytes,
  },
  {
    name: 'acolhe_backup_last_verified_seconds',
    help: 'The last time when every byte of a backup was checked, in seconds since 1970.',
    value: (made) => Math.max(...made.map(({ verifiedAt }) => verifiedAt ?? 0)) / 1_000 || undefined,
  },
  {
    name: 'acolhe_backup_damaged_parts',
    help: 'How many parts were damaged of the newest backup that was checked.',
    value: (made) => made.find(({ damagedParts }) => damagedParts !== null)?.damagedParts ?? undefined,
  },
  {
    name: 'acolhe_backup_old_deleted_seconds',
    help: 'The last time when a backup had deleted everything that was too old, in seconds since 1970.',
    value: (made) => Math.max(...made.map(({ oldDeletedAt }) => oldDeletedAt ?? 0)) / 1_000 || undefined,
  },
];

/** Adds the metrics of backups, which read the database at each scrape. */
export function addBackupMetrics(
  database: Database,
  create: typeof Gauge,
  registry: Registry,
  now = Date.now,
): void {
  for (const { name, help, value } of metrics)
    new create({
      name,
      help,
      registers: [registry],
      async collect() {
        // A scrape must not fail because the database is unreachable.
        const runs = await listRuns(database, now()).catch((): BackupRun[] => []);
        const made = runs.filter(isMade);
        this.set((made.length > 0 ? value(made) : undefined) ?? Number.NaN);
      },
    });
}
