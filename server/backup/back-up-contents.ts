import type { AppContext } from '../context.ts';
import type { Database } from '../database/connect.ts';
import { StartError } from '../environment.ts';
import { forEachContent, OtherContent, requireSame } from '../storage/files/copy-content.ts';
import { type FileContent, isFile } from '../storage/files/files.ts';
import { ContentMissing } from '../storage/store/file-store.ts';
import { release } from '../storage/store/release.ts';
import { listFileReferences } from './file-references.ts';
import type { BackupStore } from './place/backup-store.ts';
import type { Encryption } from './place/encryption.ts';
import type { FindObject } from './snapshot/known-objects.ts';
import { contentSource, type SnapshotContent } from './snapshot/snapshot-format.ts';

/** Copies this many contents at the same time, because a distant store responds slowly. */
const concurrent = 4;

type Copied = { content: SnapshotContent; added: number } | { leftOut: string };

/**
 * Encrypts and copies the contents that no earlier backup has.
 * @param find finds the objects of earlier backups
 * @param done called after each content, one call at a time
 * @throws ContentDamaged when the content of an existing file is missing, or is not what was uploaded
 */
export async function backUpContents(
  context: Pick<AppContext, 'database' | 'fileStore'> & { store: BackupStore; encrypt: Encryption },
  contents: readonly FileContent[],
  { find, signal }: { find: FindObject; signal: AbortSignal },
  done: (copied: Copied) => Promise<void>,
): Promise<void> {
  let reporting = Promise.resolve();
  await forEachContent(contents, concurrent, async (content) => {
    signal.throwIfAborted();
    const copied = await copy(context, content, { find, signal });
    reporting = reporting.then(() => done(copied));
    await reporting;
  });
}

async function copy(
  { database, fileStore, store, encrypt }: Parameters<typeof backUpContents>[0],
  content: FileContent,
  { find, signal }: { find: FindObject; signal: AbortSignal },
): Promise<Copied> {
  const { key, bytes } = content;
  const { name, known } = find(contentSource(key));
  if (known) return { content: { key, bytes, stored: known }, added: 0 };
  try {
    const source = requireSame(await fileStore.read(key), content, signal, release);
    const stored = await store.write(name, await encrypt(source));
    return { content: { key, bytes, stored: { name, ...stored } }, added: stored.bytes };
  } catch (error) {
    if (error instanceof OtherContent) throw await describeDamage(database, key, error);
    if (!(error instanceof ContentMissing)) throw error;
    const [fileKey = ''] = key.split('.');
    if (await isFile(database, fileKey)) throw await describeDamage(database, key, error);
    return { leftOut: key };
  }
}

/** Thrown when the content of a file is missing, or is not the one that was uploaded. */
export class ContentDamaged extends StartError {
  override name = 'ContentDamaged';
}

/**
 * Returns an error that names the file that a content belongs to, and where the site uses the file.
 * @param key the key of the content in the file store
 */
async function describeDamage(database: Database, key: string, cause?: unknown): Promise<Error> {
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
