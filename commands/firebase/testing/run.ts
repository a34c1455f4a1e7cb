import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '#server/database/connect.ts';
import { readEnvironment } from '#server/environment.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { type ImportOptions, importFirebase } from '../import-firebase.ts';
import { type Project, writeProject } from './fixture.ts';

/** The installation into which a command imports. */
export type Target = Pick<TestServer, 'dataDir' | 'databaseUrl'> & { settings?: Record<string, string> };

const variables = ({ dataDir, databaseUrl, settings }: Target) => ({
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl ?? '',
  ...settings,
});

/** Does the work of `npm run import -- firebase FOLDER` in this process. */
export async function importFrom(
  target: Target,
  folder: string,
  options: Partial<Omit<ImportOptions, 'folder'>> = {},
): Promise<string> {
  return importFirebase(readEnvironment(variables(target)), {
    ...{
      folder,
      isDryRun: false,
      skipInvalid: false,
      admins: [],
      stopped: new AbortController().signal,
      progress: () => {},
    },
    reportFile: path.join(path.dirname(folder), 'rejected.json'),
    ...options,
  });
}

/** Starts the command of `npm run import` in another process, without npm. */
export function startImport(target: Target, ...args: string[]) {
  const command = path.join(import.meta.dirname, '..', '..', 'import.ts');
  const child = spawn(process.execPath, [command, ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...variables(target) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, ended: endOf(child) };
}

export async function runImport(target: Target, ...args: string[]) {
  return startImport(target, ...args).ended;
}

async function endOf(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  const [out, errors, [code]] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, output: withoutProgress(out + errors) };
}

/** Removes lines about progress, because they appear only if a step is slow on a busy machine. */
export const withoutProgress = (output: string): string =>
  output
    .trimEnd()
    .split('\n')
    .filter((line) => !/^ +[\d.]+(?: de [\d.]+)? \D+$/.test(line))
    .join('\n');

export type ReadReport = {
  rejected: { id: string; field: string; reason: string }[];
  notImported: { id: string; field: string; reason: string }[];
  changed: { id: string; field: string; reason: string }[];
  saidToBeAdmin: { id: string; email: string }[];
};

export const readReport = async (folder: string): Promise<ReadReport> =>
  JSON.parse(await readFile(path.join(path.dirname(folder), 'rejected.json'), 'utf8'));

/** Starts the real app and imports a project into it. */
export async function startWith(
  t: TestContext,
  kind: TestServer['kind'],
  project: Project,
  options: Parameters<typeof importFrom>[2] = {},
) {
  const server = await startTestServer(t, kind);
  const folder = await writeProject(t, project);
  return { server, folder, message: await importFrom(server, folder, options) };
}

/** All rows of all tables, to compare two states of a database. */
export async function dump(database: Database): Promise<Record<string, unknown[]>> {
  const tables = await database.introspection.getTables();
  const all: Record<string, unknown[]> = {};
  for (const { name } of tables.filter(({ name }) => !name.startsWith('usersSearch')))
    all[name] = (await sql`select * from ${sql.table(name)}`.execute(database)).rows;
  return all;
}

/** The digest of every file in a folder, by its path, without SQLite's temporary files. */
export async function digestsIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const digests: Record<string, string> = {};
  for (const entry of entries) {
    if (/-(?:wal|shm)$/.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    digests[path.relative(folder, file)] = entry.isFile()
      ? createHash('sha256')
          .update(await readFile(file))
          .digest('hex')
      : 'folder';
  }
  return digests;
}
