import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { connect, type DatabaseKind, listMigrations } from '../database/connect.ts';
import type { Environment } from '../environment.ts';
import { createBackupPlace } from './backups.ts';
import { startTestServer } from './server.ts';
import { mp3, storageOf } from './storage.ts';

/** The files of a site of `startWithFiles`. */
export const files = 6;

/** Starts a site with files that take a backup a while, and makes a place for its backups. */
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
