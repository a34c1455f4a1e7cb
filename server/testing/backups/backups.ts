import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { createGunzip, createGzip } from 'node:zlib';
import { sql } from 'kysely';
import { type BackupOptions, backUp } from '../../backup/back-up.ts';
import { createDecryption, createEncryption, createKeyPair } from '../../backup/place/encryption.ts';
import { openBackupStore } from '../../backup/place/open-backup-store.ts';
import { type RestoreOptions, restore } from '../../backup/restore.ts';
import { createLineWriter } from '../../backup/snapshot/digested-lines.ts';
import { listSnapshots, readManifest, writeManifest } from '../../backup/snapshot/manifests.ts';
import {
  type NamedObject,
  type SnapshotLine,
  snapshotObject,
} from '../../backup/snapshot/snapshot-format.ts';
import { findSnapshot } from '../../backup/snapshot/snapshot-times.ts';
import { connect, type DatabaseKind, listMigrations } from '../../database/connect.ts';
import { type Environment, readEnvironment } from '../../environment.ts';
import type { S3Settings } from '../../environment-values.ts';
import { openFileStore } from '../../storage/store/open-file-store.ts';
import { createTestDatabase } from '../databases.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { mp3, storageOf } from '../storage.ts';

const uninterrupted = new AbortController().signal;

/** A place for the backups of a test, with a key pair. */
export type BackupPlace = Awaited<ReturnType<typeof createBackupPlace>>;

export async function createBackupPlace(t: TestContext, s3?: S3Settings) {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-backups-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { identity, recipient } = await createKeyPair();
  const settings: NonNullable<Environment['backup']> = {
    destination: s3 ? { s3 } : { folder },
    recipients: [recipient],
    atMinute: undefined,
    days: 35,
  };
  /** The environment variables of a server that keeps its backups in this place. */
  const variables = { BACKUP_DIR: folder, BACKUP_RECIPIENT: recipient };
  return { folder, identity, settings, variables, store: await openBackupStore(settings.destination) };
}

/** Backs up a test server with a file store that it opens itself, as a separate process would. */
export async function backUpServer(
  server: Pick<TestServer, 'database' | 'kind' | 'dataDir' | 'databaseUrl' | 'authSecret'>,
  { settings }: BackupPlace,
  options: Partial<BackupOptions> = {},
) {
  const environment: Environment = {
    ...readEnvironment({}),
    dataDir: server.dataDir,
    databaseUrl: server.databaseUrl,
    backup: settings,
  };
  const { database, kind, authSecret } = server;
  const fileStore = await openFileStore(environment);
  try {
    return await backUp(
      { environment, database, databaseKind: kind, fileStore, authSecret },
      { progress: () => {}, signal: uninterrupted, ...options },
    );
  } finally {
    fileStore.close();
  }
}

/**
 * Creates a new installation to restore into: an empty folder, and on PostgreSQL also a database without
 * rows, which has tables if `migrated` is true.
 */
export async function createTarget(t: TestContext, kind: TestServer['kind'], { migrated = true } = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-restored-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const dataDir = path.join(folder, 'data');
  if (kind === 'sqlite') return { ...readEnvironment({}), dataDir };
  const { databaseUrl, remove } = await createTestDatabase(kind);
  t.after(remove);
  if (!migrated) await dropTables({ dataDir, databaseUrl });
  return { ...readEnvironment({}), dataDir, databaseUrl };
}

/** Restores the newest backup. */
export async function restoreInto(
  target: Environment,
  { store, identity }: Pick<BackupPlace, 'store' | 'identity'>,
  options: Partial<RestoreOptions> = {},
) {
  return restore(target, {
    store,
    decrypt: await createDecryption(identity),
    snapshot: await findSnapshot(store, undefined),
    newSecret: false,
    progress: () => {},
    signal: uninterrupted,
    ...options,
  });
}

async function dropTables(environment: Pick<Environment, 'dataDir' | 'databaseUrl'>): Promise<void> {
  const database = connect(environment);
  await sql`drop schema public cascade`.execute(database);
  await sql`create schema public`.execute(database);
  await database.destroy();
}

/** Rewrites the newest snapshot with changed lines, as if another version of the program had written it. */
export async function rewriteSnapshot(
  { store, identity, settings }: BackupPlace,
  change: (line: SnapshotLine) => SnapshotLine | undefined,
): Promise<void> {
  const [snapshot = ''] = await listSnapshots(store);
  const decrypt = await createDecryption(identity);
  const plain = await text((await decrypt(await store.read(snapshotObject(snapshot)))).pipe(createGunzip()));
  const lines: string[] = [];
  const writer = createLineWriter(async (line) => void lines.push(line));
  for (const line of plain.trimEnd().split('\n').slice(0, -1)) {
    const changed = change(JSON.parse(line) as SnapshotLine);
    if (changed) await writer.add(changed);
  }
  await writer.end();
  const objects: NamedObject[] = [];
  for await (const object of readManifest(store, snapshot)) objects.push(object);
  const encrypt = await createEncryption(settings.recipients);
  const stored = await store.write(
    snapshotObject(snapshot),
    await encrypt(Readable.from(lines).pipe(createGzip())),
  );
  const others = objects.filter(({ name }) => name !== snapshotObject(snapshot));
  await writeManifest(store, snapshot, {
    createdAt: new Date().toISOString(),
    program: 'a test',
    objects: [...others, { name: snapshotObject(snapshot), ...stored }],
  });
}

/** The number of files that `startWithFiles` uploads. */
export const files = 6;

/** Starts a site with files, so that its backup takes a while, and creates a place for its backups. */
export async function startWithFiles(t: TestContext, kind: DatabaseKind, bytes = 300_000) {
  const server = await startTestServer(t, kind);
  const admin = await server.join('admin');
  for (let count = 0; count < files; count += 1)
    assert.equal((await storageOf(admin).upload(`postAudios/mind/${count}`, mp3(bytes, count))).status, 204);
  return { server, place: await createBackupPlace(t) };
}

/** True if a restore has put rows into a target. */
export async function hasUsers(target: Environment): Promise<boolean> {
  if (target.databaseUrl === undefined && !existsSync(path.join(target.dataDir, 'acolhe.sqlite')))
    return false;
  const database = connect(target);
  try {
    if ((await listMigrations(database)).length === 0) return false;
    return (await database.selectFrom('users').select('id').limit(1).execute()).length > 0;
  } finally {
    await database.destroy();
  }
}
