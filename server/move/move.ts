import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ShowProgress } from '../backup/progress.ts';
import { connect, type Database, databaseKind } from '../database/connect.ts';
import { syncFolder } from '../database/durable-files.ts';
import { lockDataFolder, sqliteFileIn } from '../database/installation/data-folder.ts';
import {
  contentsFolderOf,
  contentsPlace,
  hasLeft,
  readInstallation,
  saveInstallation,
} from '../database/installation/installation.ts';
import {
  type MoveJournal,
  readMoveJournal,
  removeMoveJournal,
  writeMoveJournal,
} from '../database/installation/move-journal.ts';
import { withoutTimeLimit } from '../database/postgres.ts';
import { type Environment, StartError } from '../environment.ts';
import { markArrival, readArrival, unmarkArrival } from '../storage/store/arrival.ts';
import type { FileStore } from '../storage/store/file-store.ts';
import { openFileStore } from '../storage/store/open-file-store.ts';
import { copyContents, measureContents } from './copy-contents.ts';
import { copyRows, discardUnfinishedUploads } from './copy-rows.ts';
import { type HeldSource, holdSource, removeLogFiles } from './hold-source.ts';
import {
  findPlaces,
  isSameMove,
  type MoveOptions,
  newJournal,
  type Places,
  requireOwnFolder,
} from './places.ts';
import { checkTarget, fillTarget, requireSpace, unfinishedFolder } from './target-database.ts';
import { describeEnd, type Moved, type MoveStep } from './words.ts';

/**
 * Moves the rows, the contents of files or both to another place, and closes the old one.
 * @param environment names the old place; with `--to-s3`, its `S3_*` variables name the new place of the
 * files
 * @param report called with each step
 * @returns what to tell the operator
 * @throws StartError when the move is refused or fails; the last `MoveStep` says where the site is then
 */
export async function move(
  environment: Environment,
  options: MoveOptions,
  progress: ShowProgress,
  report: (step: MoveStep) => void,
): Promise<string> {
  const places = findPlaces(environment, options);
  const { dataDir } = environment;
  requireOwnFolder(dataDir);
  const unlock = lockDataFolder(
    dataDir,
    `Um servidor, ou outra mudança, está usando a pasta de dados ${dataDir}. Nada foi mudado. Pare o servidor e tente de novo.`,
  );
  try {
    return await withoutTimeLimit(() => moveLocked(places, progress, report));
  } finally {
    unlock();
  }
}

async function moveLocked(
  places: Places,
  progress: ShowProgress,
  report: (step: MoveStep) => void,
): Promise<string> {
  const { source, target } = places;
  const earlier = await readMoveJournal(source.dataDir);
  const isSame = earlier !== undefined && isSameMove(earlier, places);
  let moved: Moved = {};
  if (earlier && (await hasEnded(earlier, places))) {
    if (!isSame) throw unfinished(earlier);
  } else {
    const journal = isSame ? earlier : newJournal(places);
    const stores = places.contents && {
      from: await openFileStore(source),
      to: await openFileStore(target),
    };
    try {
      await holdSource(places, journal, async (held) => {
        moved = await copy(places, { held, journal, stores }, progress, report);
        report('closing');
      });
    } finally {
      stores?.from.close();
      stores?.to.close();
    }
  }
  report('tidying');
  const journal = await readMoveJournal(source.dataDir);
  if (journal) await tidy(places, journal);
  return describeEnd(places, journal, moved);
}

/** True if the move has closed the old place, but its process ended before it had tidied up. */
async function hasEnded(journal: MoveJournal, { source }: Places): Promise<boolean> {
  if (journal.rows) return hasLeft(journal, source.dataDir);
  if (databaseKind(source) === 'sqlite' && !existsSync(sqliteFileIn(source.dataDir))) return false;
  const database = connect({ ...source, databasePool: 1 });
  try {
    const { contents } = await readInstallation(database);
    return contents === (journal.contents?.to === 'disk' ? 'disk' : 's3');
  } finally {
    await database.destroy();
  }
}

function unfinished({ rows, contents }: MoveJournal): StartError {
  const places = [rows, contents].flatMap((one) => (one ? [`de ${one.from} para ${one.to}`] : []));
  return new StartError(
    `Uma mudança anterior (${places.join(' e ')}) ainda não terminou de arrumar o lugar antigo. Nada foi mudado. Rode antes de novo o comando dela, com as variáveis daquela vez.`,
  );
}

/** Checks that the new place can take the site, then copies. @returns what was copied */
async function copy(
  places: Places,
  { held, journal, stores }: { held: HeldSource; journal: MoveJournal; stores: Stores | undefined },
  progress: ShowProgress,
  report: (step: MoveStep) => void,
): Promise<Moved> {
  const { source, target } = places;
  report('checking');
  const resumed = stores !== undefined && (await checkStore(stores.to, journal, target));
  const measured = stores && (await measureContents(held.rows));
  if (measured && target.s3 === undefined) await requireSpace(target.dataDir, measured.bytes);
  if (places.rows) await checkTarget(target, held, journal);

  report('copying');
  await writeMoveJournal(source.dataDir, journal);
  if (stores && measured) {
    await markArrival(stores.to, journal.id);
    await copyContents(held.rows, stores, { files: measured.files, resumed }, progress);
  }
  let rows: number | undefined;
  if (places.rows) {
    await writeMoveJournal(source.dataDir, {
      ...journal,
      ...(source.databaseUrl !== undefined && { oldDatabaseUrl: source.databaseUrl }),
    });
    await fillTarget(target, held, journal, async (transaction) => {
      rows = await copyRows({ held: held.rows, kind: databaseKind(source) }, transaction, progress);
      await describeInstallation(held.rows, transaction, { places, journal });
      if (!stores) await discardUnfinishedUploads(held.rows, transaction);
    });
  }
  return { rows, files: measured?.files };
}

type Stores = { from: FileStore; to: FileStore };

async function describeInstallation(
  held: Database,
  transaction: Database,
  { places, journal }: { places: Places; journal: MoveJournal },
): Promise<void> {
  const { contents } = await readInstallation(held);
  await saveInstallation(transaction, {
    contents: places.contents ? contentsPlace(places.target) : contents,
    // A server with another folder may have started on the new database, and recorded its own.
    folder: await contentsFolderOf(places.target),
    move: journal.id,
  });
}

/**
 * @returns true if an earlier attempt of this move has begun to fill the store
 * @throws StartError when the store does not respond, or has contents of another origin
 */
async function checkStore(
  store: FileStore,
  journal: MoveJournal,
  { s3, dataDir }: Environment,
): Promise<boolean> {
  const place = s3 ? `O bucket ${s3.bucket} em ${s3.endpoint}` : `A pasta ${path.join(dataDir, 'files')}`;
  try {
    await store.check();
    if ((await readArrival(store)) === journal.id) return true;
  } catch (cause) {
    throw new StartError(
      `${place} não respondeu, não existe ou recusou a chave. Nada foi mudado. Confira as variáveis S3_*.`,
      { cause },
    );
  }
  for await (const _ of store.keys())
    throw new StartError(
      `${place} já tem arquivos. Nada foi mudado. ${s3 ? 'Escolha um bucket vazio.' : 'Guarde-os em outro lugar e tente de novo.'}`,
    );
  return false;
}

/** Completes a move whose old place is closed. Every step can be repeated. */
async function tidy(places: Places, journal: MoveJournal): Promise<void> {
  const { source, target } = places;
  const { dataDir } = source;
  if (places.rows) {
    if (places.rows.from === 'sqlite') removeLogFiles(dataDir);
    const database = connect({ ...target, databasePool: 1 });
    try {
      await saveInstallation(database, { move: null });
    } finally {
      await database.destroy();
    }
  }
  if (places.contents) {
    const store = await openFileStore(target);
    try {
      await unmarkArrival(store);
    } finally {
      store.close();
    }
    if (places.contents.from === 'disk')
      for (const name of ['files', 'uploads']) {
        const folder = path.join(dataDir, name);
        if (existsSync(folder)) await rename(folder, `${folder}.moved-${journal.stamp}`);
      }
  }
  await rm(path.join(dataDir, unfinishedFolder), { recursive: true, force: true });
  await syncFolder(dataDir);
  await removeMoveJournal(dataDir);
}
