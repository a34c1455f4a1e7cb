import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants, createReadStream, existsSync } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { syncFolder } from '../../database/durable-files.ts';
import { StartError } from '../../environment.ts';
import { release } from '../../storage/store/release.ts';
import { type BackupStore, measured, ObjectMissing, objectFolders } from './backup-store.ts';

/** The folders of a destination. The root of a disk also has `lost+found`, which only root can read. */
const ownFolders = [...objectFolders, 'deleted-accounts/', 'damaged/'];
const unfinishedMark = '.unfinished-';
/**
 * The number of bytes written between two calls of fdatasync. In a long write without these calls, a worker
 * of the Linux kernel would update all metadata of the file at once, and requests would wait for it (0.9 ms
 * after 20 MB).
 */
const syncBytes = 256 * 1024;
/** Explains, for each error code, why a folder cannot be used. */
const folderProblems: Record<string, string> = {
  ENOSPC: 'está num disco cheio: abra espaço e tente de novo',
  EDQUOT: 'está num disco cheio: abra espaço e tente de novo',
  EACCES: 'não aceita leitura e gravação deste usuário',
  EPERM: 'não aceita leitura e gravação deste usuário',
  EROFS:
    'está num disco que só aceita leitura, ou fora das pastas que o systemd deixa gravar (ReadWritePaths)',
  ENOENT: 'não existe, nem a pasta acima dela: monte o disco, ou corrija BACKUP_DIR',
  ENOTDIR: 'não é uma pasta',
};

/** Opens a folder for backups. The first write creates it. */
export function openBackupFolder(folder: string): BackupStore {
  const fileOf = (name: string) => path.join(folder, name);
  const requireAccess = (place: string, mode: number) =>
    access(place, mode).catch((error: unknown) => {
      throw withSentence(folder, error);
    });
  // The dot refuses what is not a folder.
  const requireFolder = (place: string) =>
    requireAccess(`${place}/.`, constants.R_OK | constants.W_OK | constants.X_OK);
  const entriesOf = (place: string) =>
    readdir(place, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
      throw withSentence(folder, error);
    });

  async function listFiles(prefix: string): Promise<string[]> {
    if (!existsSync(fileOf(prefix))) return [];
    return (await entriesOf(fileOf(prefix)))
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  }

  return {
    destination: folder,

    async check() {
      const parent = path.dirname(folder);
      if (!existsSync(folder) && existsSync(parent)) return requireFolder(parent);
      await requireFolder(folder);
      for (const own of ownFolders.map(fileOf)) {
        if (!existsSync(own)) continue;
        await requireFolder(own);
        for (const entry of await entriesOf(own)) {
          const place = path.join(entry.parentPath, entry.name);
          if (entry.isDirectory()) await requireFolder(place);
          else if (entry.name === 'manifest.jsonl') await requireAccess(place, constants.R_OK);
        }
      }
    },

    async list(prefix, found) {
      const sizes = new Map<string, number>();
      for (const name of await listFiles(prefix)) {
        if (!name.includes(unfinishedMark)) sizes.set(name, (await stat(fileOf(name))).size);
        found?.(sizes.size);
      }
      return sizes;
    },

    async write(name, content) {
      const file = fileOf(name);
      const unfinished = `${file}${unfinishedMark}${randomUUID()}`;
      const stored = { bytes: 0, sha256: '' };
      try {
        await makeFolder(folder, path.dirname(file));
        await writeInSteps(unfinished, measured(content, stored));
        await rename(unfinished, file);
        await syncFolder(path.dirname(file));
        return stored;
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => {});
        throw withSentence(folder, error);
      }
    },

    async read(name) {
      const stream = createReadStream(fileOf(name));
      await once(stream, 'open').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') throw new ObjectMissing(name, { cause: error });
        throw withSentence(folder, error);
      });
      return Readable.from(reading(stream, name));
    },

    async remove(names) {
      for (const name of names) {
        await rm(fileOf(name), { force: true });
        // This fails if the folder still contains other files.
        await rmdir(path.dirname(fileOf(name))).catch(() => {});
      }
    },

    async removeUnfinished() {
      const own = await Promise.all(ownFolders.map(listFiles));
      const inRoot = (await readdir(folder).catch(ignoreMissing)) ?? [];
      for (const name of [...inRoot, ...own.flat()])
        if (name.includes(unfinishedMark)) await rm(fileOf(name), { force: true });
    },
  };
}

/** Creates a file, durably, and frees the memory of each chunk once it is written. */
async function writeInSteps(file: string, content: AsyncIterable<Uint8Array>) {
  const handle = await open(file, 'wx', 0o600);
  try {
    let unsyncedBytes = 0;
    for await (const chunk of content) {
      await handle.writeFile(chunk);
      unsyncedBytes += chunk.length;
      release(chunk);
      if (unsyncedBytes < syncBytes) continue;
      unsyncedBytes = 0;
      await handle.datasync();
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Yields the bytes of an object. An object that the disk cannot read counts as missing. */
async function* reading(content: AsyncIterable<Uint8Array>, name: string) {
  try {
    yield* content;
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'EIO' ? new ObjectMissing(name, { cause }) : cause;
  }
}

/**
 * Turns an error of the file system into a StartError that explains it, if the folder is the reason. An
 * earlier backup of another user, such as root, can have left parts that this user cannot use.
 */
function withSentence(folder: string, cause: unknown): unknown {
  const { code = '', path: place = folder } = cause as NodeJS.ErrnoException;
  const problem = folderProblems[code];
  if (problem === undefined) return cause;
  const isRefused = code === 'EACCES' || code === 'EPERM';
  const advice = isRefused
    ? ` (${place.replace(/\/\.$/, '')}). Se ela é um disco, veja se está montado. Depois entregue-a ao usuário do servidor, como root: chown -R ${process.geteuid?.()}:${process.getegid?.()} ${folder}`
    : '.';
  return new StartError(`A pasta dos backups, ${folder}, ${problem}${advice}`, { cause });
}

/** Creates `root` and every folder from there down to `folder`, durably. */
async function makeFolder(root: string, folder: string): Promise<void> {
  if (folder !== root) await makeFolder(root, path.dirname(folder));
  const created = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );
  if (created) await syncFolder(path.dirname(folder));
}

function ignoreMissing(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
  return undefined;
}
