import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Environment, StartError } from '../environment.ts';
import { createOnce } from './durable-files.ts';
import type { Database } from './tables.ts';

type Place = Pick<Environment, 'databaseUrl' | 's3' | 'dataDir'>;

/**
 * Checks that this data folder contains the files of a site whose rows are on PostgreSQL. Without this check,
 * a second instance without S3, or an instance with a new folder, would show the site without its files.
 * Such an instance would also store new files where no other instance finds them. The first start, a restore
 * or a move writes the id of its folder into the database.
 * @throws StartError when the files are in another folder
 */
export async function requireContentsFolder(database: Database, environment: Place): Promise<void> {
  const folder = await contentsFolderOf(environment);
  if (folder === null) return;
  await database.updateTable('installation').set({ folder }).where('folder', 'is', null).execute();
  const installation = await database.selectFrom('installation').select('folder').executeTakeFirstOrThrow();
  if (installation.folder === folder) return;
  throw new StartError(
    [
      `Os arquivos deste site estão em outra pasta de dados, e não em ${environment.dataDir}. Nada foi mudado.`,
      'Para várias máquinas, leve os arquivos ao S3 (npm run move -- --to-s3) e escreva as variáveis S3_* em todas.',
      'Para trocar de máquina, copie a pasta de dados inteira, com o servidor parado; docs/move.md diz como.',
    ].join('\n'),
  );
}

/**
 * Returns the id of the data folder that contains the files, for a site whose rows are on PostgreSQL. Returns
 * null if the files are on S3. Also returns null on SQLite, because the database is then in the same folder
 * as the files.
 */
export const contentsFolderOf = async ({ databaseUrl, s3, dataDir }: Place): Promise<string | null> =>
  databaseUrl === undefined || s3 !== undefined ? null : readFolderId(dataDir);

/** Reads the id of a data folder, or creates it in a new folder. Copies of a folder have the same id. */
export async function readFolderId(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'folder-id');
  if (!existsSync(file)) await createOnce(file, randomUUID());
  return readFile(file, 'utf8');
}
