import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import { connect, type DatabaseKind } from '../../database/connect.ts';
import { createEmptyPostgres } from '../databases.ts';

/** The content of the only file of an old site, and its key. */
export const oldFile = { key: `ab${'0'.repeat(38)}`, content: 'um áudio' };

/** A site whose database a start still changes, with a user and a file on the disk, and without a server. */
export type OldSite = {
  kind: DatabaseKind;
  dataDir: string;
  /** The environment of its server, without `PORT`. */
  settings: Record<string, string>;
  /** Changes the database. */
  change(statement: string): Promise<void>;
};

/**
 * Creates the tables as an earlier version of the program did. `sqlite.sql` and `postgres.sql` have the
 * statements of its 33 migrations.
 * @param last the last migration to run
 */
export async function createOldTables(
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | undefined },
  last: string,
): Promise<void> {
  const kind = databaseUrl === undefined ? 'sqlite' : 'postgres';
  const text = await readFile(path.join(import.meta.dirname, `${kind}.sql`), 'utf8');
  const database = connect({ dataDir, databaseUrl, databasePool: 1 });
  try {
    await sql`create table if not exists kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(
      database,
    );
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
    for (const migration of text.split(/^-- /m).slice(1)) {
      const [name = ''] = migration.split('\n');
      if (name > last || rows.some((row) => row.name === name)) continue;
      for (const statement of migration.slice(name.length).split(/;\n(?! |end\b)/))
        if (statement.trim() !== '') await sql.raw(statement).execute(database);
      await sql`insert into kysely_migration values (${name}, '2026-11-22T00:00:00.000Z')`.execute(database);
    }
  } finally {
    await database.destroy();
  }
}

/** @param last the last of the earlier migrations that the database has had */
export async function createOldSite(
  t: TestContext,
  kind: DatabaseKind,
  last = '033-public-practices',
): Promise<OldSite> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-old-'));
  t.after(() => {
    // A test may have removed the permission to delete the files.
    execFileSync('chmod', ['-R', 'u+rwX', dataDir]);
    return rm(dataDir, { recursive: true, force: true });
  });
  const databaseUrl = kind === 'sqlite' ? undefined : await createEmptyPostgres();
  const change = async (...statements: string[]) => {
    const database = connect({ dataDir, databaseUrl, databasePool: 1 });
    try {
      for (const statement of statements) await sql.raw(statement).execute(database);
    } finally {
      await database.destroy();
    }
  };
  await createOldTables({ dataDir, databaseUrl }, last);
  const time = kind === 'sqlite' ? `'2026-01-01T00:00:00.000Z'` : 'now()';
  await change(
    `insert into users (id, "displayName", email, "emailVerified", "createdAt", "updatedAt", member, staff, research, "searchKey")
      values ('u1', 'Ana', 'ana@exemplo.com.br', true, ${time}, ${time}, 'admin', false, false, 'ana')`,
    `insert into files (path, key, "ownerId", "contentType", "sizeBytes", "storedBytes", sha256, versions, token, "createdAt")
      values ('postAudios/mind/som', '${oldFile.key}', null, 'audio/mpeg', 8, 8, 'x', '{}', 't', 1)`,
  );
  for (const folder of ['files/ab', 'uploads', 'usage-records'])
    await mkdir(path.join(dataDir, folder), { recursive: true, mode: 0o700 });
  await writeFile(path.join(dataDir, 'files/ab', oldFile.key), oldFile.content);
  const secret = 'the secret of an old site, for tests';
  if (kind === 'sqlite') await writeFile(path.join(dataDir, 'auth-secret'), secret);
  const settings = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, AUTH_SECRET: secret, DIARY_KEY: secret }),
  };
  return { kind, dataDir, settings, change };
}

/**
 * Returns everything in the data folder and in the database, for comparison. Leaves out SQLite's `-shm`,
 * which contains only locks.
 */
export async function stateOf({ DATA_DIR = '', DATABASE_URL }: Record<string, string>): Promise<unknown> {
  const entries = await readdir(DATA_DIR, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return 'no folder';
  const state: Record<string, string> = {};
  for (const entry of entries) {
    const place = path.join(entry.parentPath, entry.name);
    if (place.endsWith('-shm')) continue;
    const { mode, mtimeMs } = await stat(place);
    const content = entry.isFile()
      ? createHash('sha256')
          .update(await readFile(place))
          .digest('hex')
      : '';
    state[path.relative(DATA_DIR, place)] = `${mode.toString(8)} ${entry.isFile() ? mtimeMs : ''} ${content}`;
  }
  return { ...state, rows: await rowsOf(DATA_DIR, DATABASE_URL) };
}

async function rowsOf(dataDir: string, databaseUrl: string | undefined): Promise<unknown> {
  if (databaseUrl === undefined) return undefined;
  const database = connect({ dataDir, databaseUrl, databasePool: 1 });
  try {
    const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
    const rows: Record<string, unknown> = {};
    for (const { name, columns } of tables) {
      const found = await sql`select t::text as row from ${sql.table(name)} t order by 1`.execute(database);
      rows[name] = [columns.map((column) => column.name), found.rows];
    }
    return rows;
  } finally {
    await database.destroy();
  }
}
