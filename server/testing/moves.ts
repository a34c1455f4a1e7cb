import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import { paths } from '#contract/paths.ts';
import { connect, type Database } from '../database/connect.ts';
import { tableRows } from '../database/rows/columns.ts';
import { type TableDigest, writeRows } from '../database/rows/rows.ts';
import { digestTables, inSnapshot } from '../database/rows/snapshot.ts';
import { openMasterKey } from '../diary/keys/master-key.ts';
import { readEnvironment } from '../environment.ts';
import { move } from '../move/move.ts';
import { readMoveOptions } from '../move/places.ts';
import { describeFailure, type MoveStep } from '../move/words.ts';
import { openContext } from '../start.ts';
import { createTestDatabase } from './databases.ts';
import { photo } from './pictures.ts';
import { signUpAdmins } from './recorded-writes.ts';
import type { TestUser } from './server.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { mp3, sha256Of, storageOf } from './storage.ts';

const command = path.join(import.meta.dirname, '../../commands/move.ts');

/** The environment variables of an installation, with its data folder. */
export type Settings = { DATA_DIR: string } & Record<string, string>;

export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-move-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  return folder;
}

/** Starts the program of `npm run move` in a separate process, without npm. */
export function spawnMove(settings: Settings, ...args: string[]) {
  const move = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [move.stdout, move.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  return {
    kill: (signal: NodeJS.Signals) => move.kill(signal),
    pid: move.pid ?? 0,
    output: () => output,
    isRunning: () => move.exitCode === null && move.signalCode === null,
    /** Resolves to the exit code and everything that was printed. */
    ended: once(move, 'close').then(([code]) => ({ code: code as number | null, output: output.trim() })),
  };
}

/** Runs a move in this process, with the result that the program of `npm run move` would have. */
export async function runMove(settings: Settings, ...args: string[]) {
  let step: MoveStep = 'checking';
  const progress = () => {};
  const report = (next: MoveStep) => {
    step = next;
  };
  try {
    const output = await move(readEnvironment(settings), readMoveOptions(args), progress, report);
    return { code: 0, output };
  } catch (error) {
    return { code: 1, output: describeFailure(error, step) };
  }
}

/** Returns the digests of all tables that a move copies. */
export const digestsOf = ({ DATA_DIR, DATABASE_URL }: Settings): Promise<Record<string, TableDigest>> =>
  inSnapshot({ dataDir: DATA_DIR, databaseUrl: DATABASE_URL }, (rows) => digestTables(rows, 'moves'));

/** Returns the SHA-256 of each file in a folder, by its path in the folder. */
export async function hashesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const hashes: Record<string, string> = {};
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    hashes[path.relative(folder, file)] = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
  }
  return hashes;
}

/** Returns `accepted` if a server with these settings opens the site's data, or `refused` and the reason. */
export async function openingOf(settings: Settings): Promise<string> {
  try {
    const context = await openContext(readEnvironment(settings));
    context.fileStore.close();
    await context.usageRecords.close();
    await context.securityEvents.close();
    await context.database.destroy();
    return 'accepted';
  } catch (error) {
    if ((error as Error).name !== 'StartError') throw error;
    return `refused: ${(error as Error).message}`;
  }
}

/** Creates a database with two users, without a server. */
export async function createSite(t: TestContext, kind: 'sqlite' | 'postgres') {
  const place = await createTestDatabase(kind);
  t.after(() => place.remove());
  const settings: Settings = {
    DATA_DIR: place.dataDir,
    AUTH_SECRET: 'one secret for all places of this test',
    DIARY_KEY: 'one key for all places of this test',
    ...(place.databaseUrl !== undefined && { DATABASE_URL: place.databaseUrl }),
  };
  const time = '2026-01-01T00:00:00.000Z';
  await withDatabase(place, async (database) => {
    await openMasterKey(readEnvironment(settings), database);
    await writeRows(
      database,
      'users',
      tableRows.users.columns,
      ['u1', 'u2'].map((id) => ({
        ...{ id, displayName: id, email: `${id}@exemplo.com.br`, searchKey: id, member: 'no' },
        ...{ emailVerified: true, staff: false, research: false, twoFactorEnabled: false },
        ...{ ownName: false, ownPicture: false, profilePic: null, category: null, lastSeenOn: null },
        ...{ createdAt: time, updatedAt: time },
      })),
    );
  });
  return {
    settings,
    change: (statement: string) => changeOf(place, statement),
    /** Adds files of 100 kB. `keyOf` returns their keys, and `contentOf` their contents. */
    async addFiles(count: number) {
      const folder = path.join(place.dataDir, 'files', 'ab');
      await mkdir(folder, { recursive: true });
      const numbers = Array.from({ length: count }, (_, number) => number);
      for (const number of numbers) await writeFile(path.join(folder, keyOf(number)), contentOf(number));
      const rows = numbers.map((number) => ({
        ...{ path: `postAudios/mind/som${number}`, key: keyOf(number), ownerId: 'u1', token: 't' },
        ...{ sha256: sha256Of(contentOf(number)), sizeBytes: 100_000, storedBytes: 100_000 },
        ...{ contentType: 'audio/mpeg', versions: '{}', width: null, height: null, createdAt: 1 },
      }));
      await withDatabase(place, (database) => writeRows(database, 'files', tableRows.files.columns, rows));
    },
  };
}

export const keyOf = (number: number) => `ab${String(number).padStart(38, '0')}`;
export const contentOf = (number: number) => Buffer.alloc(100_000, `som ${number} `);

type Place = { dataDir: string; databaseUrl: string | undefined };

async function withDatabase(place: Place, work: (database: Database) => Promise<unknown>): Promise<void> {
  const database = connect({ ...place, databasePool: 1 });
  try {
    await work(database);
  } finally {
    await database.destroy();
  }
}

export const changeOf = (place: Place, statement: string) =>
  withDatabase(place, (database) => sql.raw(statement).execute(database));

/** Returns which of the two places a server accepts. */
export async function validPlaces(old: Settings, next: Settings): Promise<string[]> {
  const found: string[] = [];
  if ((await openingOf(old)) === 'accepted') found.push('old');
  if (await hasSite(next)) found.push('new');
  return found;
}

/** True if a server with these settings serves the site, not a new and empty one. */
async function hasSite(settings: Settings): Promise<boolean> {
  if (settings.DATABASE_URL === undefined && !existsSync(path.join(settings.DATA_DIR, 'acolhe.sqlite')))
    return false;
  if (settings.DATABASE_URL !== undefined) {
    const database = connect({ databaseUrl: settings.DATABASE_URL, dataDir: '' });
    const { rows } = await sql<{ there: boolean }>`select to_regclass('users') is not null as there`.execute(
      database,
    );
    await database.destroy();
    if (rows[0]?.there !== true) return false;
  }
  return (await openingOf(settings)) === 'accepted';
}

/** A site with two admins, a picture, an audio file and an unfinished upload, on a running server. */
export type SmallSite = {
  server: ServerProcess;
  admin: TestUser;
  /** The SHA-256 of each file, by the file's URL path with its token. */
  files: Record<string, string>;
};

export async function startSmallSite(t: TestContext, settings: Settings): Promise<SmallSite> {
  const server = await startAgain(t, settings);
  const [admin] = await signUpAdmins(server.url, server.firstAdminPath(), 2);
  if (!admin) throw new Error('There is no admin.');
  const storage = storageOf(admin);
  const files: SmallSite['files'] = {};
  for (const [name, content] of [
    ['postImages/mind/foto', await photo(600, 400)],
    ['postAudios/mind/som', mp3(2_500_000)],
  ] as const) {
    const response = await storage.upload(name, content, content.length);
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    const url = await storage.url(name);
    const stored = await fetch(server.url + url);
    files[url] = sha256Of(new Uint8Array(await stored.arrayBuffer()));
  }
  const begun = await storage.start('postAudios/mind/depois', 400_000);
  await storage.patch(begun, 0, mp3(300_000));
  return { server, admin, files };
}

/** Starts the server. If the settings name the port of an earlier server, its cookies stay valid. */
export async function startAgain(
  t: TestContext,
  { DATA_DIR, ...settings }: Settings,
): Promise<ServerProcess> {
  const server = await startServerProcess(DATA_DIR, settings);
  t.after(() => server.kill());
  return server;
}

/** Returns what a signed-in admin gets: the status of a call, and the hash (or error status) of each file. */
export async function visit(server: ServerProcess, { admin, files }: SmallSite) {
  const found: Record<string, string> = {};
  for (const url of Object.keys(files)) {
    const response = await fetch(server.url + url);
    found[url] =
      response.status === 200
        ? sha256Of(new Uint8Array(await response.arrayBuffer()))
        : String(response.status);
  }
  const { status } = await admin.fetch(paths.auth.sessions);
  return { session: status, files: found };
}

/** Changes each server's row in `instances` as if the server had been suspended for longer than a minute. */
export async function endHeartbeat(t: TestContext, url: string): Promise<void> {
  const database = connect({ databaseUrl: url, dataDir: '' });
  t.after(() => database.destroy());
  await sql`update instances set "seenAt" = "seenAt" - 60000`.execute(database);
}
