import { existsSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import { newAuthSecret, storeAuthSecret } from '../auth/secret.ts';
import { connect, databaseKind, listMigrations } from '../database/connect.ts';
import { syncFolder } from '../database/durable-files.ts';
import { lockDataFolder, requireOwner, sqliteFileIn } from '../database/installation/data-folder.ts';
import { replaceSecretFile } from '../database/installation/secret-file.ts';
import { requireNoInstance } from '../database/leases.ts';
import { migrations } from '../database/migrations/migrations.ts';
import { requireNewInstallation } from '../database/rows/new-installation.ts';
import { diaryKeyFile } from '../diary/keys/master-key.ts';
import { type Environment, StartError } from '../environment.ts';
import { OtherContent, putContent } from '../storage/files/copy-content.ts';
import { openFileStore } from '../storage/store/open-file-store.ts';
import { readDeletions } from './deletions.ts';
import type { BackupStore } from './place/backup-store.ts';
import type { Decryption } from './place/encryption.ts';
import type { ShowProgress } from './progress.ts';
import { type RestoredRows, restoreRows } from './restore-rows.ts';
import { DamagedBackup } from './snapshot/digested-lines.ts';
import {
  readSnapshot,
  readSnapshotContents,
  readStored,
  type SnapshotContents,
} from './snapshot/read-snapshot.ts';
import { fingerprintOf, type SnapshotHeader } from './snapshot/snapshot-format.ts';

export type RestoreOptions = {
  store: BackupStore;
  /** The name of the snapshot. */
  snapshot: string;
  decrypt: Decryption;
  /** True to restore without the AUTH_SECRET of the backup: the second factors of all users are then off. */
  newSecret: boolean;
  progress: ShowProgress;
  /** Stops the restore. The target then has no rows, even if all files are already restored. */
  signal: AbortSignal;
};

export type RestoreResult = RestoredRows & { createdAt: string; contents: number; usageRecords: number };

/**
 * Restores a backup into an empty installation: first the contents of files, usage records and the secret,
 * then the rows. Until the rows are there, the target counts as empty, so the restore can be repeated.
 * @param environment the environment of the target
 * @throws StartError when the target or the backup does not allow a restore; DamagedBackup; the reason of
 * `signal` when it is aborted
 */
export async function restore(environment: Environment, options: RestoreOptions): Promise<RestoreResult> {
  requireOwner(environment.dataDir);
  const unlock = lockDataFolder(environment.dataDir);
  try {
    await requireEmptyTarget(environment);
    const found = await readSnapshotContents(options, options.snapshot, options.progress);
    const secret = chooseSecret(environment, found.header, options.newSecret);
    const contents = await restoreContents(environment, found, options);
    if (secret !== undefined) await storeAuthSecret(environment.dataDir, secret);
    const { diaryKey } = found.header;
    if (diaryKey !== undefined) await replaceSecretFile(diaryKeyFile(environment.dataDir), diaryKey);
    options.signal.throwIfAborted();
    const restored = await restoreRows(environment, {
      snapshot: found,
      lines: () => readSnapshot(options, options.snapshot),
      isDeleted: (key) => readDeletions(options.store, key),
      withoutSecondFactors: options.newSecret,
      progress: options.progress,
      signal: options.signal,
    });
    const { createdAt } = found.header;
    return { ...restored, createdAt, contents, usageRecords: found.usageRecords.length };
  } finally {
    unlock();
  }
}

/** @throws StartError when a server runs on the target, or the target already has data of a site */
async function requireEmptyTarget(environment: Environment): Promise<void> {
  const { dataDir, databaseUrl } = environment;
  if (databaseUrl === undefined && !existsSync(sqliteFileIn(dataDir))) return;
  const database = connect({ ...environment, databasePool: 1 });
  try {
    const applied = await listMigrations(database);
    if (applied.length === 0) return;
    if (applied.length === Object.keys(migrations).length)
      await requireNoInstance(database, databaseKind(environment));
    await requireNewInstallation(
      database,
      databaseUrl === undefined ? `em ${dataDir}` : 'no PostgreSQL de DATABASE_URL',
    );
  } finally {
    await database.destroy();
  }
}

/**
 * Returns the secret to write into the data folder; undefined when AUTH_SECRET has the right one, or a new
 * one.
 * @throws StartError when AUTH_SECRET is not the secret with which the backup was made
 */
function chooseSecret(
  { authSecret, dataDir, databaseUrl }: Environment,
  header: SnapshotHeader,
  newSecret: boolean,
): string | undefined {
  if (newSecret) return authSecret === undefined && databaseUrl === undefined ? newAuthSecret() : undefined;
  const isSame = authSecret !== undefined && fingerprintOf(authSecret) === header.authSecretFingerprint;
  if (isSame) return undefined;
  if (authSecret === undefined && header.authSecret !== undefined) return header.authSecret;
  if (header.authSecret !== undefined)
    throw new StartError(
      [
        'AUTH_SECRET não é o de quando o backup foi feito. Nada foi mudado.',
        `O daquele tempo está no backup: tire AUTH_SECRET, e o comando o grava em ${path.join(dataDir, 'auth-secret')}.`,
        databaseUrl === undefined
          ? 'Deixe AUTH_SECRET vazio também depois.'
          : 'Depois escreva em AUTH_SECRET o conteúdo desse arquivo.',
      ].join(' '),
    );
  throw new StartError(
    authSecret === undefined
      ? 'O backup foi feito com AUTH_SECRET. Nada foi mudado. Escreva o mesmo AUTH_SECRET; ou, se ele se perdeu, acrescente --new-secret: cada pessoa terá de ligar de novo a verificação em duas etapas.'
      : 'AUTH_SECRET não é o de quando o backup foi feito. Nada foi mudado. Escreva o daquele tempo, ou acrescente --new-secret: cada pessoa terá de ligar de novo a verificação em duas etapas.',
  );
}

/** Restores usage records and the contents of files. @returns the number of contents */
async function restoreContents(
  environment: Environment,
  { contents, usageRecords }: SnapshotContents,
  { store, decrypt, progress, signal }: RestoreOptions,
): Promise<number> {
  const all = contents.length + usageRecords.length;
  let done = 0;
  const fileStore = await openFileStore(environment);
  try {
    for (const content of contents) {
      signal.throwIfAborted();
      const source = await readStored(store, decrypt, content.stored);
      await putContent(fileStore, { ...content, sha256: undefined }, source, signal).catch((cause) => {
        if (!(cause instanceof OtherContent)) throw cause;
        throw new DamagedBackup(`${content.key} has another size.`, { cause });
      });
      done += 1;
      progress(done, all);
    }
  } finally {
    fileStore.close();
  }
  const folder = path.join(environment.dataDir, 'usage-records');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const { file, stored } of usageRecords) {
    signal.throwIfAborted();
    const target = path.join(folder, file);
    const handle = await open(`${target}.unfinished`, 'w', 0o600);
    try {
      for await (const chunk of await readStored(store, decrypt, stored)) await handle.write(chunk as Buffer);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${target}.unfinished`, target);
    done += 1;
    progress(done, all);
  }
  await syncFolder(folder);
  return contents.length;
}
