import { type FileHandle, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { AppContext } from '../context.ts';
import { readFolderId } from '../database/installation/installation.ts';
import { readSecretFile } from '../database/installation/secret-file.ts';
import { withLease } from '../database/leases.ts';
import { migrations } from '../database/migrations/migrations.ts';
import { diaryKeyFile } from '../diary/keys/master-key.ts';
import { type Environment, StartError } from '../environment.ts';
import type { BackupSettings } from '../environment-backup.ts';
import { failureSentence } from '../http/failure-sentence.ts';
import { reasonOf } from '../http/log.ts';
import { programVersion } from '../program.ts';
import type { FileContent } from '../storage/files/files.ts';
import { backUpContents } from './back-up-contents.ts';
import { deleteAgain } from './delete-again.ts';
import { deletionsKey, installationOf, readDeletions, storeDeletions } from './deletions.ts';
import type { BackupStore } from './place/backup-store.ts';
import { claimDestination, OtherDestination } from './place/claim-destination.ts';
import { createEncryption, type Encryption, fingerprintOfRecipients } from './place/encryption.ts';
import { openBackupStore } from './place/open-backup-store.ts';
import type { ShowProgress } from './progress.ts';
import { removeOldBackups, type SnapshotProblems } from './remove-old-backups.ts';
import { beginRun, finishRun, forgetRun, hasBackupSince, noteOldDeleted } from './runs.ts';
import { type FindObject, readKnownObjects } from './snapshot/known-objects.ts';
import { writeManifest } from './snapshot/manifests.ts';
import {
  fingerprintOf,
  formatVersion,
  type NamedObject,
  snapshotFolder,
  snapshotName,
  snapshotObject,
  usageRecordsSource,
} from './snapshot/snapshot-format.ts';
import { timeText } from './snapshot/snapshot-times.ts';
import { type AddLine, writeSnapshot } from './snapshot/write-snapshot.ts';

export type BackupContext = Pick<
  AppContext,
  'environment' | 'database' | 'databaseKind' | 'fileStore' | 'authSecret'
>;

export type BackupResult = {
  snapshot: string;
  destination: string;
  rows: ReadonlyMap<string, number>;
  files: number;
  /** The bytes that this backup added to the destination. */
  storedBytes: number;
  /**
   * The number of deleted accounts that had come back into the database. This backup has deleted them again.
   */
  deletedAgain: number;
  /** Problems that this backup found in other snapshots. */
  problems: SnapshotProblems;
  /** Set if some old backups were not deleted. `failure` is missing if a signal stopped their deletion. */
  leftOld?: { failure?: unknown };
};

export type BackupOptions = {
  progress: ShowProgress;
  /** Stops the backup, or only the deletion of old backups if the manifest is already written. */
  signal: AbortSignal;
  now?: () => number;
  /** Makes no backup if one was made since this time, in epoch milliseconds. */
  unlessSince?: number;
  /** True to use this destination from now on, instead of the destination of the earlier backups. */
  newDestination?: boolean;
};

/** Thrown when another process is making a backup. */
export class BackupRunning extends StartError {}

/**
 * Makes one backup, and then deletes old backups. The manifest is written last; until then, the backup does
 * not exist.
 * @returns undefined when a backup was made since `unlessSince`
 * @throws StartError when there is no destination for backups; OtherDestination when the earlier backups are
 * in another one; BackupRunning while another process makes a backup
 */
export async function backUp(
  context: BackupContext,
  {
    progress,
    signal: stop,
    now = Date.now,
    unlessSince = Number.POSITIVE_INFINITY,
    newDestination = false,
  }: BackupOptions,
): Promise<BackupResult | undefined> {
  const { backup } = context.environment;
  if (!backup)
    throw new StartError(
      'Falta o lugar dos backups: escreva BACKUP_DIR e BACKUP_RECIPIENT (docs/backup.md).',
    );
  const encrypt = await createEncryption(backup.recipients);
  const store = await openBackupStore(backup.destination);
  const held = await withLease(context, 'backup', async (lost) => {
    const signal = AbortSignal.any([stop, lost]);
    if (await hasBackupSince(context.database, unlessSince, now())) return undefined;
    return backUpAlone({
      ...context,
      store,
      encrypt,
      signal,
      progress,
      now,
      newDestination,
      settings: backup,
    });
  });
  if (!held) throw new BackupRunning('Outro backup está sendo feito agora. Espere que ele termine.');
  return held.result;
}

type Work = BackupContext &
  Required<Omit<BackupOptions, 'unlessSince'>> & {
    store: BackupStore;
    encrypt: Encryption;
    settings: BackupSettings;
  };

async function backUpAlone(work: Work): Promise<BackupResult> {
  const { environment, database, store, settings } = work;
  const startedAt = new Date(work.now());
  await beginRun(database, startedAt.getTime());
  await store.check();
  // Makes the key for the hashes of deleted ids before the rows are read, so that every backup contains it.
  const key = await deletionsKey(database);
  await claimDestination(store, database, {
    installation: installationOf(key),
    isNew: work.newDestination,
  }).catch(async (error: unknown) => {
    // Forgets this run. Otherwise, an instance with the right destination would wait an hour.
    if (error instanceof OtherDestination) await forgetRun(database, startedAt.getTime());
    throw error;
  });
  await store.removeUnfinished();
  await storeDeletions(database, store, work.now());
  const wasDeleted = await readDeletions(store, key);
  const deletedAgain = await deleteAgain(database, work.databaseKind, wasDeleted);

  const snapshot = snapshotName(startedAt);
  const about = { createdAt: startedAt.toISOString(), program: programVersion() };
  const find = await readKnownObjects(store, fingerprintOfRecipients(settings.recipients), work);
  const objects: NamedObject[] = [];
  let storedBytes = 0;
  const addObject = (object: NamedObject, added: number) => {
    objects.push(object);
    storedBytes += added;
  };

  const { stored, rows } = await writeSnapshot(
    work,
    {
      name: snapshot,
      header: {
        format: 'acolhe-backup',
        formatVersion,
        ...about,
        lastMigration: Object.keys(migrations).sort().at(-1) ?? '',
        ...(environment.authSecret === undefined ? { authSecret: work.authSecret } : {}),
        authSecretFingerprint: fingerprintOf(work.authSecret),
        ...(await diaryKeyFor(environment)),
      },
    },
    async (contents, add) => {
      await addContents(work, contents, { find, add, addObject });
      await addUsageRecords(work, { find, add, addObject });
    },
  );
  addObject({ name: snapshotObject(snapshot), ...stored }, stored.bytes);
  work.signal.throwIfAborted();
  await writeManifest(store, snapshot, { ...about, objects });
  await finishRun(database, startedAt.getTime(), { finishedAt: work.now(), snapshot, storedBytes });
  const files = rows.get('files') ?? 0;
  const made = { snapshot, destination: store.destination, rows, files, storedBytes, deletedAgain };
  return { ...made, ...(await removeOld(work, startedAt.getTime())) };
}

/** A key from the environment is never in a backup. */
async function diaryKeyFor({ diaryKey: fromEnvironment, dataDir }: Environment) {
  if (fromEnvironment !== undefined) return {};
  const diaryKey = await readSecretFile(diaryKeyFile(dataDir));
  return diaryKey === undefined ? {} : { diaryKey };
}

/** Deletes old backups. The new backup is complete even if this fails; the next backup deletes the rest. */
async function removeOld({ database, store, settings, now, progress, signal }: Work, startedAt: number) {
  try {
    const options = { days: settings.days, now: now(), progress, signal };
    const { problems, allDeleted } = await removeOldBackups(store, options);
    if (allDeleted) await noteOldDeleted(database, startedAt, now());
    return { problems };
  } catch (failure) {
    return { problems: { damaged: [], ahead: [] }, leftOld: signal.aborted ? {} : { failure } };
  }
}

type Adding = {
  find: FindObject;
  add: AddLine;
  addObject: (object: NamedObject, added: number) => void;
};

async function addContents(work: Work, contents: FileContent[], { find, add, addObject }: Adding) {
  let done = 0;
  await backUpContents(work, contents, { find, signal: work.signal }, async (copied) => {
    done += 1;
    work.progress(done, contents.length);
    if ('leftOut' in copied) return add(copied);
    addObject(copied.content.stored, copied.added);
    await add({ content: copied.content });
  });
}

/** Adds the files of usage records. A file that is still growing is copied up to its current size. */
async function addUsageRecords(
  { environment, store, encrypt }: Work,
  { find, add, addObject }: Adding,
): Promise<void> {
  const folderId = await readFolderId(environment.dataDir);
  for await (const { file, handle, size } of openUsageRecords(
    path.join(environment.dataDir, 'usage-records'),
  )) {
    const { name, known } = find(usageRecordsSource(file, size, folderId));
    const content =
      size === 0 ? Readable.from([]) : handle.createReadStream({ end: size - 1, autoClose: false });
    const stored = known ?? { name, ...(await store.write(name, await encrypt(content))) };
    addObject(stored, known ? 0 : stored.bytes);
    await add({ usageRecords: { file, stored } });
  }
}

/**
 * Opens the files of usage records, one after the other, and closes each. The server may compress or delete
 * old files meanwhile. A file that is gone is left out, and an open file stays readable.
 * @param folder may be missing
 * @throws StartError when the folder or a file cannot be read
 */
async function* openUsageRecords(
  folder: string,
): AsyncGenerator<{ file: string; handle: FileHandle; size: number }> {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  for (const file of names.filter((name) => /^[\d-]{10}\.jsonl(?:\.gz)?$/.test(name)).sort()) {
    const handle = await open(path.join(folder, file)).catch(ignoreMissing);
    if (!handle) continue;
    try {
      yield { file, handle, size: (await handle.stat()).size };
    } finally {
      await handle.close();
    }
  }
}

function ignoreMissing(cause: NodeJS.ErrnoException): undefined {
  if (cause.code === 'ENOENT') return undefined;
  throw new StartError(`Os registros de acesso não puderam ser lidos: ${cause.message}`, { cause });
}

/**
 * Returns sentences for what a backup has found wrong outside its own data, such as damaged earlier backups.
 */
export function warningsOf({ destination, problems, deletedAgain, leftOld }: BackupResult): string[] {
  return [
    ...(deletedAgain > 0
      ? [
          `Atenção: o banco de dados voltou a um tempo anterior. Foram apagadas de novo as contas que já tinham sido apagadas: ${deletedAgain}.`,
        ]
      : []),
    ...(leftOld
      ? [
          `Atenção: nem todos os backups antigos foram apagados; o próximo backup continua.${reasonFor(leftOld)}`,
        ]
      : []),
    ...problems.damaged.map(
      (name) => `Atenção: o backup de ${timeText(name)} está danificado; os outros continuam bons.`,
    ),
    ...problems.ahead.map(
      (name) =>
        `Atenção: o backup de ${timeText(name)} foi feito com o relógio adiantado. Ele não será apagado sozinho: se o relógio agora está certo, apague ${snapshotFolder(name)} em ${destination}.`,
    ),
  ];
}

function reasonFor({ failure }: NonNullable<BackupResult['leftOld']>): string {
  if (failure === undefined) return '';
  return ` ${failureSentence(failure) ?? reasonOf(failure).stack}`;
}
