import { createHash } from 'node:crypto';
import type { AppContext } from '../context.ts';
import { type FileContent, isFile } from '../storage/files/files.ts';
import { ContentMissing } from '../storage/store/file-store.ts';
import { release } from '../storage/store/release.ts';
import { describeDamage } from './content-damaged.ts';
import type { BackupStore } from './place/backup-store.ts';
import type { Encryption } from './place/encryption.ts';
import type { FindObject } from './snapshot/known-objects.ts';
import { contentSource, type SnapshotContent } from './snapshot/snapshot-format.ts';

/** Copies this many contents at the same time, because a distant store responds slowly. */
const concurrent = 4;

type Copied = { content: SnapshotContent; added: number } | { leftOut: string };

/** Thrown at the end of a stream if its bytes are not those that were uploaded. */
class OtherContent extends Error {}

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
  let next = 0;
  let reporting = Promise.resolve();
  const work = async () => {
    for (let content = contents[next++]; content; content = contents[next++]) {
      signal.throwIfAborted();
      const copied = await copy(context, content, { find, signal });
      reporting = reporting.then(() => done(copied));
      await reporting;
    }
  };
  const workers = Array.from({ length: concurrent }, async () => {
    try {
      await work();
    } catch (error) {
      // Makes the other workers stop, too.
      next = contents.length;
      throw error;
    }
  });
  const failed = (await Promise.allSettled(workers)).find((worker) => worker.status === 'rejected');
  if (failed) throw failed.reason;
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
    const source = requireSame(await fileStore.read(key), content, signal);
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

/** Yields the chunks of `source`. @throws OtherContent at the end if they are not what was uploaded */
async function* requireSame(
  source: AsyncIterable<Uint8Array>,
  { bytes, sha256 }: FileContent,
  signal: AbortSignal,
) {
  const hash = createHash('sha256');
  let read = 0;
  for await (const chunk of source) {
    signal.throwIfAborted();
    hash.update(chunk);
    read += chunk.length;
    yield chunk;
    release(chunk);
  }
  const isSame = read === bytes && (sha256 === undefined || sha256 === hash.digest('base64'));
  if (!isSame) throw new OtherContent();
}
