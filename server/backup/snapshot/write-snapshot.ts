import { once } from 'node:events';
import { PassThrough, pipeline } from 'node:stream';
import { createGzip } from 'node:zlib';
import { copiedTables, tableRows } from '../../database/rows/columns.ts';
import { createTableDigest, readRows } from '../../database/rows/rows.ts';
import { inSnapshot } from '../../database/rows/snapshot.ts';
import type { Environment } from '../../environment.ts';
import { contentsOf, type FileContent } from '../../storage/files/files.ts';
import type { BackupStore, StoredObject } from '../place/backup-store.ts';
import type { Encryption } from '../place/encryption.ts';
import type { ShowProgress } from '../progress.ts';
import { createLineWriter } from './digested-lines.ts';
import { type SnapshotHeader, type SnapshotLine, snapshotObject } from './snapshot-format.ts';

export type AddLine = (line: SnapshotLine) => Promise<void>;

/**
 * Writes an encrypted snapshot: all rows, read in one transaction, and then what `addContents` adds.
 * @param addContents called once all rows are read, with the contents to which they refer
 * @returns what was stored, and the number of rows of each table
 */
export async function writeSnapshot(
  {
    environment,
    store,
    encrypt,
    signal,
    progress,
  }: {
    environment: Environment;
    store: BackupStore;
    encrypt: Encryption;
    signal: AbortSignal;
    progress: ShowProgress;
  },
  { name, header }: { name: string; header: Omit<SnapshotHeader, 'tables'> },
  addContents: (contents: FileContent[], add: AddLine) => Promise<void>,
): Promise<{ stored: StoredObject; rows: Map<string, number> }> {
  const stopped = new AbortController();
  const either = AbortSignal.any([signal, stopped.signal]);
  const lines = new PassThrough();
  const gzip = createGzip();
  // The callback ignores errors of `lines`, because the reader of `gzip` gets them, too.
  pipeline(lines, gzip, () => {});
  const storing = encrypt(gzip).then((encrypted) => store.write(snapshotObject(name), encrypted));
  storing.catch((error: unknown) => stopped.abort(error));

  const writer = createLineWriter(async (line) => {
    either.throwIfAborted();
    if (!lines.write(line)) await once(lines, 'drain', { signal: either });
  });
  const add: AddLine = (line) => writer.add(line);
  try {
    const tables = copiedTables('backups').map((table) => ({
      name: table,
      key: [...tableRows[table].key],
      columns: { ...tableRows[table].columns },
    }));
    await add({ header: { ...header, tables } });
    const { rows, contents } = await addRows(environment, add, progress);
    await addContents(contents, add);
    await writer.end();
    lines.end();
    return { stored: await storing, rows };
  } catch (error) {
    lines.destroy(error instanceof Error ? error : new Error(String(error)));
    // If storing failed, this throws the original error, not the abort that it caused.
    await storing;
    throw error;
  }
}

/** Adds the rows of all tables. @returns the number of rows of each table, and the contents of all files */
async function addRows(environment: Environment, add: AddLine, progress: ShowProgress) {
  return inSnapshot(environment, async (transaction) => {
    const rows = new Map<string, number>();
    const contents: FileContent[] = [];
    let copied = 0;
    for (const table of copiedTables('backups')) {
      const digest = createTableDigest(tableRows[table].columns);
      for await (const page of readRows(transaction, table, tableRows[table])) {
        for (const row of page) {
          digest.add(row);
          await add({ table, row });
          if (table === 'files') contents.push(...contentsOf(row as Parameters<typeof contentsOf>[0]));
        }
        copied += page.length;
        progress(copied, undefined, 'linhas copiadas');
      }
      const end = digest.result();
      rows.set(table, end.rows);
      await add({ tableEnd: table, ...end });
    }
    return { rows, contents };
  });
}
