import { type Environment, StartError } from '../environment.ts';
import { connect, type Database, databaseKind } from './connect.ts';
import { lockDataFolder, requireOwner } from './installation/data-folder.ts';
import { requireNoInstance } from './leases.ts';
import { findDatabase } from './open.ts';

/**
 * Runs `work` on the database of a site while no server runs on it. The tables can be of an earlier version.
 * @param work gets the names of the applied migrations
 * @throws StartError while a server runs, and when there is no site yet
 */
export async function withStoppedSite<Result>(
  environment: Environment,
  work: (database: Database, applied: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const { dataDir } = environment;
  requireOwner(dataDir);
  const unlock = lockDataFolder(dataDir, runningServer(dataDir));
  try {
    const found = await findDatabase(environment);
    await found?.database.destroy();
    if (!found || found.applied.length === 0)
      throw new StartError(`Ainda não há um site em ${dataDir}: comece antes o servidor, com npm start.`);
    const database = connect(environment);
    try {
      if (found.applied.includes('033-version-0-2'))
        await requireNoInstance(database, databaseKind(environment));
      return await work(database, found.applied);
    } finally {
      await database.destroy();
    }
  } finally {
    unlock();
  }
}

/** The sentence for a command that does not work while a server runs. */
export const runningServer = (dataDir: string) =>
  `O servidor está no ar em ${dataDir}. Nada foi mudado. Pare-o e tente de novo.`;
