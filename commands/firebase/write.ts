import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { listNames } from '#contract/axes.ts';
import { addImportedSignIns } from '#server/auth/sign-in-methods.ts';
import type { Database, DatabaseKind } from '#server/database/connect.ts';
import { recordFirstStore } from '#server/database/installation/installation.ts';
import { requireNoInstance } from '#server/database/leases.ts';
import { commitForCertain } from '#server/database/lost-commit.ts';
import { requireNewInstallation } from '#server/database/rows/new-installation.ts';
import { type Environment, StartError } from '#server/environment.ts';
import { AppError } from '#server/http/errors.ts';
import { getListVersion } from '#server/library/list-versions.ts';
import { replaceListIn } from '#server/library/replace-list.ts';
import type { FileStore } from '#server/storage/store/file-store.ts';
import {
  addImportedFiles,
  type ImportedFile,
  removeReserved,
  reserveContents,
  storeContent,
} from '#server/storage/uploads/imported-contents.ts';
import { addImportedMoods, addImportedUsers } from '#server/users/import-users.ts';
import { type PlannedFile, type Progress, versionsOf } from './contents.ts';
import type { Plan } from './convert.ts';
import { openPlainFile } from './read-lines.ts';

/** Both databases limit the parameters of a statement (SQLite: 32,766); a user has 14. */
const rowsPerInsert = 500;

export type WritableFile = { planned: PlannedFile; file: ImportedFile };

export type Writing = {
  environment: Environment;
  database: Database;
  databaseKind: DatabaseKind;
  fileStore: FileStore;
  versionsFolder: string;
  progress: Progress;
  stopped: AbortSignal;
};

/**
 * Stores the contents, then adds all rows in one transaction. An error leaves nothing behind. The contents
 * that a killed import has stored are marked for removal: the next import or the server's clean-up removes
 * them.
 */
export async function writePlan(plan: Plan, files: WritableFile[], writing: Writing): Promise<void> {
  const { database, databaseKind } = writing;
  await requireNewInstallation(database, 'neste banco de dados');
  await removeReserved(writing);
  try {
    await storeContents(files, writing);
    await commitForCertain(database, databaseKind, (transaction) =>
      addRows(transaction, plan, files, writing),
    );
  } catch (error) {
    // If the store is unavailable now, the next import or the server's clean-up removes the contents.
    await removeReserved(writing).catch(() => {});
    throw error;
  }
}

async function storeContents(
  files: WritableFile[],
  { database, fileStore, versionsFolder, progress, stopped }: Writing,
): Promise<void> {
  for (const some of chunks(files)) {
    await reserveContents(
      database,
      some.map(({ file }) => file.key),
    );
  }
  for (const [index, { planned, file }] of files.entries()) {
    stopped.throwIfAborted();
    progress(index, files.length, 'arquivos guardados');
    const { handle } = await openPlainFile(planned.old.place);
    try {
      const versions: [string, Uint8Array][] = [];
      for await (const version of versionsOf(planned, versionsFolder)) versions.push(version);
      const content = handle.createReadStream({ autoClose: false });
      await storeContent(fileStore, file, { content, versions }, stopped).catch((cause: unknown) => {
        if (!(cause instanceof AppError) || cause.code !== 'storage/invalid-checksum') throw cause;
        throw new StartError(
          `O arquivo ${planned.old.place} mudou durante a importação. Nada foi importado.`,
          { cause },
        );
      });
    } finally {
      await handle.close();
    }
  }
}

async function addRows(
  transaction: Database,
  { users, signIns, moods, lists }: Plan,
  files: WritableFile[],
  { environment, databaseKind, progress, stopped }: Writing,
): Promise<void> {
  // No sign-up may happen between the check and the commit. SQLite has one writer, so it needs no lock.
  if (databaseKind === 'postgres')
    await sql`lock table ${sql.table('users')}, ${sql.table('activities')}, ${sql.table('files')} in share row exclusive mode`.execute(
      transaction,
    );
  await requireNewInstallation(transaction, 'neste banco de dados');
  await requireNoInstance(transaction, databaseKind);
  const add = async <Row>(counted: string, rows: Row[], insert: (some: Row[]) => Promise<unknown>) => {
    let done = 0;
    for (const some of chunks(rows)) {
      // SQLite blocks the event loop. Without this pause, signals and progress would wait until all rows are
      // written.
      await nextTurn();
      stopped.throwIfAborted();
      progress(done, rows.length, counted);
      await insert(some);
      done += some.length;
    }
  };
  await add('contas gravadas', users, (some) => addImportedUsers(transaction, some));
  await add('senhas gravadas', signIns, (some) => addImportedSignIns(transaction, some));
  await add('registros de humor gravados', moods, (some) => addImportedMoods(transaction, some));
  if (files.length > 0) await recordFirstStore(transaction, databaseKind, environment);
  await add('descrições de arquivos gravadas', files, async (some) => {
    const areStored = await addImportedFiles(
      transaction,
      some.map(({ file }) => file),
    );
    if (!areStored)
      throw new StartError(
        'Um servidor começou durante a importação. Nada foi importado. Pare-o e tente de novo.',
      );
  });
  for (const list of listNames) {
    await nextTurn();
    stopped.throwIfAborted();
    const activities = lists.get(list) ?? [];
    const version = await getListVersion(transaction, list);
    if (activities.length > 0)
      await replaceListIn(transaction, { list, version, activities, editorId: null });
  }
  await nextTurn();
  stopped.throwIfAborted();
}

function* chunks<Item>(items: Item[]): Generator<Item[]> {
  for (let start = 0; start < items.length; start += rowsPerInsert)
    yield items.slice(start, start + rowsPerInsert);
}
