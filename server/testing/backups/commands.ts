import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Environment } from '../../environment.ts';
import type { BackupPlace } from './backups.ts';

const root = path.join(import.meta.dirname, '../../..');
const authSecret = 'one secret for all commands of this test';

/** The programs of `npm run backup`, `restore` and `site`, and of scheduled backups. */
const programs = {
  backup: 'commands/backup.ts',
  restore: 'commands/restore.ts',
  site: 'commands/site.ts',
  scheduled: 'server/backup/scheduled-backup.ts',
};

type Site = Pick<Environment, 'dataDir' | 'databaseUrl'>;
type Program = keyof typeof programs;

/** Returns the environment variables of a command that works on a site. */
export const variablesOf = ({ dataDir, databaseUrl }: Site, place: BackupPlace, program: Program) => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  DATA_DIR: dataDir,
  ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  ...(databaseUrl !== undefined && program !== 'restore' && { AUTH_SECRET: authSecret }),
  ...place.variables,
});

/** Starts a command without npm. @param settings more environment variables */
export function startCommand(
  site: Site,
  place: BackupPlace,
  program: Program,
  args: string[],
  settings: Record<string, string> = {},
): ChildProcess {
  return spawn(process.execPath, [path.join(root, programs[program]), ...args], {
    env: { ...variablesOf(site, place, program), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Collects what a command prints. */
export function outputOf(child: ChildProcess) {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += chunk));
  return { said: () => text };
}

/** Waits until a command exits. */
export async function runToEnd(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  const { said } = outputOf(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: said() };
}
