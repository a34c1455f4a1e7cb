import { createReadStream, createWriteStream, type Stats } from 'node:fs';
import {
  appendFile,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  utimes,
} from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { syncFolder } from '../database/durable-files.ts';

/** Six months (Marco Civil da Internet, art. 15), which have at most 184 days. */
const keptDays = 184;
const dayMs = 24 * 60 * 60_000;
/**
 * Old records are removed only if at least this many of the last `recentDays` days have records. After the
 * clock jumps into the future, those days have no records. So nothing is removed, unless the clock stays
 * there for this many days.
 */
const leastRecentDays = 2;
const recentDays = 7;
/** The name that the folder of usage records had in earlier versions of the program. */
const earlierFolder = 'access';

export const dayLength = '2025-01-01'.length;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, dayLength);
export const fileOf = (folder: string, day: string) => path.join(folder, `${day}.jsonl`);
const isRecordFile = (name: string) => /^\d{4}-\d{2}-\d{2}\.jsonl(?:\.gz)?$/.test(name);

/**
 * Creates the folder of the usage records, and moves the records of earlier versions of the program into it.
 */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const earlier = path.join(path.dirname(folder), earlierFolder);
  const names = await readdir(earlier).catch(() => []);
  for (const name of names.filter(isRecordFile)) {
    const [from, to] = [path.join(earlier, name), path.join(folder, name)];
    if ((await statIfThere(to)) === undefined) await rename(from, to);
    else {
      await appendFile(to, await readFile(from));
      await rm(from);
    }
  }
  // `rmdir` fails if the folder contains other files. The folder then stays.
  await rmdir(earlier).catch(() => {});
}

/**
 * Compresses the files of finished days, and removes the files of days that are more than six months old.
 * @param isOpen true for a day whose file can still get records
 */
export async function compressAndDeleteFiles(
  folder: string,
  now: Date,
  isOpen: (day: string) => boolean,
): Promise<void> {
  const names = (await readdir(folder)).filter(isRecordFile);
  for (const name of names) {
    const day = name.slice(0, dayLength);
    if (name.endsWith('.jsonl') && day < dayOf(now.getTime()) && !isOpen(day))
      await compress(fileOf(folder, day));
  }
  await removeOld(folder, now.getTime());
}

/**
 * Compresses the file of a day. If the clock was set back, the day can already have a compressed file. This
 * function then appends to that file.
 */
async function compress(file: string): Promise<void> {
  const [plain, packed] = [await stat(file), await statIfThere(`${file}.gz`)];
  // Equal modification times mean that the compressed copy is complete, and that the original was left by a
  // crash.
  if (packed?.mtimeMs !== Math.trunc(plain.mtimeMs)) {
    const unfinished = `${file}.gz.tmp`;
    await rm(unfinished, { force: true });
    if (packed) await copyFile(`${file}.gz`, unfinished);
    // Appending is possible, because a gzip file may consist of several members (RFC 1952, section 2.2).
    await pipeline(
      createReadStream(file),
      createGzip(),
      createWriteStream(unfinished, { flags: 'a', mode: 0o600, flush: true }),
    );
    const written = new Date(Math.trunc(plain.mtimeMs));
    await utimes(unfinished, written, written);
    await rename(unfinished, `${file}.gz`);
    await syncFolder(path.dirname(file));
  }
  await rm(file);
}

async function removeOld(folder: string, now: number): Promise<void> {
  const names = (await readdir(folder)).filter(isRecordFile);
  const [today, recent, oldest] = [
    dayOf(now),
    dayOf(now - recentDays * dayMs),
    dayOf(now - keptDays * dayMs),
  ];
  const days = new Set(names.map((name) => name.slice(0, dayLength)));
  if ([...days].filter((day) => day >= recent && day < today).length < leastRecentDays) return;
  for (const name of names) {
    if (name >= oldest) continue;
    const file = path.join(folder, name);
    if ((await stat(file)).mtimeMs < now - keptDays * dayMs) await rm(file);
  }
}

async function statIfThere(file: string): Promise<Stats | undefined> {
  return stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}
