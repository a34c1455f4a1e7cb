import type { Database } from '../database/connect.ts';
import { StartError } from '../environment.ts';
import { listFileReferences } from './file-references.ts';

/** Thrown when the content of a file is missing, or is not the one that was uploaded. */
export class ContentDamaged extends StartError {
  override name = 'ContentDamaged';
}

/**
 * Returns an error that names the file that a content belongs to, and where the site uses the file.
 * @param key the key of the content in the file store
 */
export async function describeDamage(database: Database, key: string, cause?: unknown): Promise<Error> {
  const [fileKey = ''] = key.split('.');
  const row = await database.selectFrom('files').select('path').where('key', '=', fileKey).executeTakeFirst();
  const references = await listFileReferences(database);
  const uses = new Set(references.filter(({ path }) => path === row?.path).map(({ usedIn }) => usedIn));
  const where = uses.size > 0 ? `usado em: ${[...uses].join(', ')}` : 'que nenhuma página usa';
  return new ContentDamaged(
    `O arquivo ${row?.path ?? ''}, ${where}, falta ou não é mais o que foi enviado (conteúdo ${key}). O backup não foi feito; os anteriores continuam inteiros. Na área de administração, escolha outro arquivo no lugar dele. Depois apague este com npm run site -- delete-file ${row?.path ?? ''} e repita.`,
    { cause },
  );
}
