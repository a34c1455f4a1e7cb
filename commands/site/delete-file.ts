import { listFileReferences } from '#server/backup/file-references.ts';
import { StartError } from '#server/environment.ts';
import { AppError } from '#server/http/errors.ts';
import { deleteFile } from '#server/storage/files/files.ts';
import type { SiteContext } from './site-files.ts';

/**
 * Deletes a stored file, even one that a page uses: no backup is complete while the content of a file is
 * lost.
 * @param path for example `postAudios/mind/abc`
 * @returns the message for the terminal
 * @throws StartError if there is no such file
 */
export async function deleteSiteFile(
  { database, databaseKind, fileStore }: SiteContext,
  path: string,
): Promise<string> {
  const references = await listFileReferences(database);
  const uses = new Set(references.filter((one) => one.path === path).map(({ usedIn }) => usedIn));
  try {
    // A version of the site content cannot keep the file, because its content may be lost.
    await deleteFile({ database, databaseKind, fileStore }, path, async () => new Set());
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'storage/object-not-found') throw cause;
    throw new StartError(`Não há um arquivo ${path}. Nada foi apagado.`, { cause });
  }
  return uses.size > 0
    ? `O arquivo ${path} foi apagado. Ainda usam este arquivo: ${[...uses].join(', ')}. Na área de administração, escolha outro.`
    : `O arquivo ${path} foi apagado. Nenhuma página o usava.`;
}
