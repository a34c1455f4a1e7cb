import { createReadStream, createWriteStream, type Stats } from 'node:fs';
import {
  copyFile,
  type FileHandle,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  statfs,
  utimes,
} from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { syncFolder } from '../database/durable-files.ts';

/** A file for each day, in a folder of its own. */
export type DailyFile = {
  /** @param rest the line after its time: the other members of a JSON object, and its closing brace */
  write(at: Date, rest: string): void;
  /** The number of lines dropped since the start. */
  lost(): number;
  /** The number of failed writes since the start. The lines of a failed write are written again. */
  writeErrors(): number;
  close(): Promise<void>;
};

/**
 * Lines are gathered for this long and written together, because one write per line costs more than most
 * responses.
 */
const gatherMs = 100;
const gatherBytes = 64 * 1024;
/** The largest backlog in memory while the disk is slow or full. */
const mostWaitingBytes = 4 * 1024 * 1024;
/**
 * The largest size of one day's file. If `dayShareOfFreeDisk` of the free disk space is less than this, it is
 * the limit instead, so that a flood of requests cannot fill the disk.
 */
const mostDayBytes = 512 * 1024 * 1024;
const dayShareOfFreeDisk = 1 / 10;
/** While records are dropped, the free disk space is measured this often. */
const measureMs = 1_000;

/**
 * Writes lines of JSON into one file per day, readable only by the server's user. The server compresses the
 * files of finished days, and deletes them after six months. After a failed write, the next write opens the
 * file again; until then, a limited backlog stays in memory.
 * @param folder created if missing; its parent folder must exist
 * @param name what the lines are, for the messages of `report`
 * @param report called when writes begin to fail, once on each day on which lines are lost, and when old
 * files cannot be compressed or deleted
 */
export async function openDailyFile(
  folder: string,
  name: string,
  report: (problem: string) => void = console.error,
): Promise<DailyFile> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  let day = '';
  let gathered = '';
  let now = new Date(0);
  let time = '';
  let flushing: NodeJS.Timeout | undefined;
  const waiting: { day: string; bytes: Uint8Array }[] = [];
  let waitingBytes = 0;
  let writing: Promise<void> | undefined;
  let file: { day: string; handle: FileHandle } | undefined;
  /** The size limit of the day's file in bytes. `space` is the number of bytes until this limit. */
  let dayBytes = await measureDay(0);
  let space = dayBytes;
  let measuredAt = 0;
  let lost = 0;
  let writeErrors = 0;
  let fullDay = '';
  let failing = false;
  let tidying: Promise<void> = tidy(new Date());

  function flush() {
    clearTimeout(flushing);
    flushing = undefined;
    if (gathered !== '') {
      const bytes = Buffer.from(gathered);
      waiting.push({ day, bytes });
      waitingBytes += bytes.length;
      gathered = '';
    }
    if (waiting.length > 0) writing ??= writeWaiting();
  }

  async function writeWaiting() {
    try {
      for (let [next] = waiting; next; [next] = waiting) {
        const { handle } = await openDay(next.day);
        const { bytesWritten } = await handle.write(next.bytes);
        space -= bytesWritten;
        waitingBytes -= bytesWritten;
        next.bytes = next.bytes.subarray(bytesWritten);
        if (next.bytes.length === 0) waiting.shift();
      }
      failing = false;
    } catch (error) {
      if (!failing) report(`Os ${name} não puderam ser gravados: ${String(error)}`);
      failing = true;
      writeErrors += 1;
      await file?.handle.close().catch(() => {});
      file = undefined;
    }
    // If the loop has ended, no `await` separates this line from its last check of `waiting`, so no bytes are
    // left without a write. After an error, the next flush tries again.
    writing = undefined;
  }

  async function openDay(wanted: string) {
    if (file?.day === wanted) return file;
    await file?.handle.close();
    file = undefined;
    const handle = await open(fileOf(folder, wanted), 'a', 0o600);
    file = { day: wanted, handle };
    await measure(handle);
    tidying = tidying.then(() => tidy(now));
    return file;
  }

  async function tidy(at: Date) {
    const isOpen = (one: string) => one === file?.day || waiting.some((lines) => lines.day === one);
    await compressAndDeleteFiles(folder, at, isOpen).catch((error: unknown) =>
      report(`Os ${name}: ${String(error)}`),
    );
  }

  async function measure(handle: FileHandle) {
    measuredAt = performance.now();
    const { size } = await handle.stat();
    dayBytes = await measureDay(size);
    space = dayBytes - size;
  }

  async function measureDay(size: number): Promise<number> {
    const { bavail, bsize } = await statfs(folder);
    return Math.min(mostDayBytes, (bavail * bsize + size) * dayShareOfFreeDisk);
  }

  function beginDay(today: string) {
    flush();
    day = today;
    space = dayBytes;
  }

  function drop() {
    lost += 1;
    if (file && performance.now() - measuredAt > measureMs) measure(file.handle).catch(() => {});
    if (fullDay === day) return;
    fullDay = day;
    report(`Os ${name} de ${day} chegaram ao limite ou o disco não os aceita; os próximos se perdem.`);
  }

  return {
    write(at, rest) {
      if (at.getTime() !== now.getTime()) {
        now = at;
        time = at.toISOString();
      }
      const today = time.slice(0, dayLength);
      if (today !== day) beginDay(today);
      const line = `{"at":"${time}",${rest}\n`;
      const held = waitingBytes + gathered.length + line.length;
      if (held > Math.min(space, mostWaitingBytes)) return drop();
      gathered += line;
      if (gathered.length > gatherBytes) flush();
      else flushing ??= setTimeout(flush, gatherMs);
    },

    lost: () => lost,
    writeErrors: () => writeErrors,

    async close() {
      flush();
      await writing;
      await file?.handle.close();
      await tidying;
    },
  };
}

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
const dayLength = '2025-01-01'.length;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, dayLength);
const fileOf = (folder: string, day: string) => path.join(folder, `${day}.jsonl`);
export const isDailyFile = (name: string) => /^\d{4}-\d{2}-\d{2}\.jsonl(?:\.gz)?$/.test(name);

/**
 * Compresses the files of finished days, and removes the files of days that are more than six months old.
 * @param isOpen true for a day whose file can still get records
 */
async function compressAndDeleteFiles(
  folder: string,
  now: Date,
  isOpen: (day: string) => boolean,
): Promise<void> {
  const names = (await readdir(folder)).filter(isDailyFile);
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
  const names = (await readdir(folder)).filter(isDailyFile);
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

export async function statIfThere(file: string): Promise<Stats | undefined> {
  return stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
}
