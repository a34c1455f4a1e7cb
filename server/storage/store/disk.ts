import { once } from 'node:events';
import { constants, createReadStream, existsSync, mkdirSync } from 'node:fs';
import {
  access,
  type FileHandle,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  statfs,
  truncate,
} from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '#server/database/durable-files.ts';
import { rememberIdentity } from '#server/database/installation/data-folder.ts';
import { AppError } from '#server/http/errors.ts';
import {
  ContentMissing,
  type FileStore,
  type StoredUpload,
  UploadLost,
  type UploadWriter,
} from './file-store.ts';
import { release } from './release.ts';

/** The number of bytes that are collected for one write. Chunks from the network have only 64 KiB. */
const bufferBytes = 1024 * 1024;
/** The default number of bytes per read. */
const readBytes = 256 * 1024;
/** Bytes between two calls of fdatasync during an upload, so that the final fsync is short. */
const syncBytes = 32 * 1024 * 1024;
/** Disk space that uploads leave free for the database. */
const sparedBytes = 32 * 1024 * 1024;

/**
 * Stores the content of files on the disk: as `uploads/<key>` until it is complete, then as
 * `files/<ab>/<key>`, where `<ab>` is the start of the key. A file gets its final name only after its bytes
 * are flushed to the disk. A call succeeds only after the file's folder is flushed, too.
 * @param dataDir the data folder; if it is removed or replaced later, uploads fail
 * @param options `isReadOnly` is true if the folders must not be created
 */
export function openDiskStore(dataDir: string, { isReadOnly = false } = {}): FileStore {
  const uploads = path.join(dataDir, 'uploads');
  if (!isReadOnly)
    for (const folder of [uploads, path.join(dataDir, 'files')])
      mkdirSync(folder, { recursive: true, mode: 0o700 });
  const requireSameFolder = rememberIdentity(dataDir);
  const partOf = (key: string) => path.join(uploads, key);
  const folderOf = (key: string) => path.join(dataDir, 'files', key.slice(0, 2));
  const fileOf = (key: string) => path.join(folderOf(key), key);

  async function requireRoom(sizeBytes: number) {
    requireSameFolder();
    const { bavail, bsize } = await statfs(dataDir);
    if (bavail * bsize < sizeBytes + sparedBytes) throw new AppError('server/storage-full');
  }

  /** @throws UploadLost */
  async function openPart(key: string): Promise<FileHandle> {
    const ifExists = (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    };
    const handle = await open(partOf(key), 'r+').catch(ifExists);
    if (handle) return handle;
    // If the server was killed after it had renamed the upload, and before the database recorded the file,
    // this moves the content back.
    await rename(fileOf(key), partOf(key)).catch(ifExists);
    const published = await open(partOf(key), 'r+').catch(ifExists);
    if (published) return published;
    throw new UploadLost();
  }

  async function publish(key: string) {
    const folder = folderOf(key);
    const created = await mkdir(folder, { mode: 0o700 }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        return false;
      },
    );
    await rename(partOf(key), fileOf(key));
    await syncFolder(folder);
    if (created) {
      await syncFolder(path.dirname(folder));
      await syncFolder(dataDir);
    }
    requireSameFolder();
  }

  return {
    place: 'disk',

    async check() {
      requireSameFolder();
      await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    },

    async begin(key, sizeBytes) {
      await requireRoom(sizeBytes);
      const handle = await open(partOf(key), 'wx', 0o600);
      await handle.close();
      await syncFolder(uploads);
      return '';
    },

    async write(upload, offset) {
      const handle = await openPart(upload.key);
      if ((await handle.stat()).size < offset) {
        await handle.close();
        throw new UploadLost();
      }
      return createWriter({ handle, file: partOf(upload.key) }, upload, offset, publish);
    },

    async put(key, content) {
      await requireRoom(content.length);
      const handle = await open(partOf(key), 'w', 0o600);
      try {
        await handle.writeFile(content);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await publish(key);
    },

    async read(key, range, bufferBytes = readBytes) {
      const stream = createReadStream(fileOf(key), { ...range, highWaterMark: bufferBytes });
      await once(stream, 'open').catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new ContentMissing(undefined, { cause: error }) : error;
      });
      return stream;
    },

    async remove(keys) {
      for (const key of keys) {
        await rm(partOf(key), { force: true });
        await rm(fileOf(key), { force: true });
      }
      // Without this, a deleted file could come back after a power cut.
      for (const folder of new Set([uploads, ...keys.map(folderOf)]))
        if (existsSync(folder)) await syncFolder(folder);
    },

    async endStrays() {},

    async *keys() {
      for (const folder of await readdir(path.join(dataDir, 'files')))
        yield* await readdir(path.join(dataDir, 'files', folder));
    },

    close() {},
  };
}

function createWriter(
  { handle, file }: { handle: FileHandle; file: string },
  { key, sizeBytes }: StoredUpload,
  offset: number,
  publish: (key: string) => Promise<void>,
): UploadWriter {
  let committed = offset;
  let written = offset;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let unsyncedBytes = 0;
  let syncing: Promise<void> | undefined;
  let syncFailure: Error | undefined;
  let flushing = Promise.resolve();

  /**
   * Waits for the previous write and begins to write the waiting bytes.
   * @throws the previous write's error
   */
  async function beginFlush() {
    await flushing;
    const chunks = waiting;
    waiting = [];
    waitingBytes = 0;
    flushing = flush(chunks);
    // Prevents an unhandled rejection. The next call that awaits `flushing` gets the error.
    flushing.catch(() => {});
  }

  /**
   * Empties the file after a failed flush to the disk, so that the upload begins again. The system reports
   * lost bytes only once, so a later flush would succeed without them.
   */
  async function fail(error: Error) {
    syncFailure = error;
    await truncate(file).catch(() => {});
  }

  async function flush(chunks: Uint8Array[]) {
    for (let left = chunks; left.length > 0; ) {
      const { bytesWritten } = await handle.writev(left, written);
      written += bytesWritten;
      left = withoutStart(left, bytesWritten);
      unsyncedBytes += bytesWritten;
    }
    chunks.forEach(release);
    if (unsyncedBytes < syncBytes || syncing) return;
    unsyncedBytes = 0;
    // Of all methods, only `finish` waits for this flush to the disk.
    syncing = handle
      .datasync()
      .catch(fail)
      .finally(() => {
        syncing = undefined;
      });
  }

  return {
    async write(chunk) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      // Waits only for the previous write, so that the caller receives and hashes the next bytes meanwhile.
      if (waitingBytes >= bufferBytes) await beginFlush();
    },
    /**
     * Writes the bytes to the operating system's cache, which outlasts this process. `finish` flushes them to
     * the disk.
     */
    async commit() {
      await beginFlush();
      await flushing;
      if (syncFailure) throw syncFailure;
      committed = written;
    },
    async noted() {},
    async finish() {
      try {
        await beginFlush();
        await flushing;
        await syncing;
        if (syncFailure) throw syncFailure;
        // An earlier request may have written other bytes beyond the offset that was recorded.
        await handle.truncate(sizeBytes);
        await handle.sync().catch(fail);
        if (syncFailure) throw syncFailure;
      } finally {
        await handle.close();
      }
      await publish(key);
    },
    async close() {
      try {
        await flushing.catch(() => {});
        if (syncFailure) committed = 0;
        if (written > committed) await handle.truncate(committed);
      } finally {
        // Closing can wait for the disk, and no caller needs its result.
        void handle.close().catch(() => {});
      }
    },
  };
}

/** Returns `chunks` without their first `bytes` bytes. On a full disk, `writev` writes only a part. */
function withoutStart(chunks: Uint8Array[], bytes: number): Uint8Array[] {
  let left = bytes;
  return chunks.flatMap((chunk) => {
    const start = Math.min(left, chunk.length);
    left -= start;
    return start === chunk.length ? [] : [chunk.subarray(start)];
  });
}
