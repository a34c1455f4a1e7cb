import { type FileHandle, open, statfs } from 'node:fs/promises';
import { compressAndDeleteFiles, dayLength, fileOf, prepareFolder } from './usage-record-files.ts';

/** One recorded request. The law requires its time and IP address. */
export type UsageRecord = { at: Date; ip: string; method: string; path: string; status: number };

export type UsageRecords = {
  write(record: UsageRecord): void;
  /** The number of records dropped since the start. */
  lost(): number;
  /** The number of failed writes since the start. The records of a failed write are written again. */
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
 * Records the date, time and IP address of requests in one file per day, readable only by the server's user.
 * The server compresses the files of finished days, and deletes them after six months. The records contain no
 * query strings, bodies or names. After a failed write, the next write opens the file again; until then, a
 * limited backlog stays in memory.
 * @param folder created if missing; its parent folder must exist
 * @param report called when writes begin to fail, once on each day on which records are lost, and when old
 * files cannot be compressed or deleted
 */
export async function openUsageRecords(
  folder: string,
  report: (problem: string) => void = console.error,
): Promise<UsageRecords> {
  await prepareFolder(folder);
  let day = '';
  // Lines wait as bytes in one buffer, because the garbage collector would copy waiting strings.
  const lines = Buffer.allocUnsafe(gatherBytes);
  let gathered = 0;
  let now = new Date(0);
  let time = '';
  let flushing: NodeJS.Timeout | undefined;
  const waiting: { day: string; bytes: Uint8Array }[] = [];
  let waitingBytes = 0;
  let writing: Promise<void> | undefined;
  let file: { day: string; handle: FileHandle } | undefined;
  /** The size limit of the day's file in bytes. `room` is the number of bytes until this limit. */
  let dayBytes = await measureDay(0);
  let room = dayBytes;
  let measuredAt = 0;
  let lost = 0;
  let writeErrors = 0;
  let fullDay = '';
  let failing = false;
  let tidying: Promise<void> = tidy(new Date());

  function flush() {
    clearTimeout(flushing);
    flushing = undefined;
    if (gathered > 0) {
      // Copies the bytes, because new lines overwrite the buffer during the write.
      const bytes = Uint8Array.from(lines.subarray(0, gathered));
      waiting.push({ day, bytes });
      waitingBytes += gathered;
      gathered = 0;
    }
    if (waiting.length > 0) writing ??= writeWaiting();
  }

  async function writeWaiting() {
    try {
      for (let [next] = waiting; next; [next] = waiting) {
        const { handle } = await openDay(next.day);
        const { bytesWritten } = await handle.write(next.bytes);
        room -= bytesWritten;
        waitingBytes -= bytesWritten;
        next.bytes = next.bytes.subarray(bytesWritten);
        if (next.bytes.length === 0) waiting.shift();
      }
      failing = false;
    } catch (error) {
      if (!failing) report(`Os registros de acesso não puderam ser gravados: ${String(error)}`);
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
      report(`Registros de acesso: ${String(error)}`),
    );
  }

  async function measure(handle: FileHandle) {
    measuredAt = performance.now();
    const { size } = await handle.stat();
    dayBytes = await measureDay(size);
    room = dayBytes - size;
  }

  async function measureDay(size: number): Promise<number> {
    const { bavail, bsize } = await statfs(folder);
    return Math.min(mostDayBytes, (bavail * bsize + size) * dayShareOfFreeDisk);
  }

  function beginDay(today: string) {
    flush();
    day = today;
    room = dayBytes;
  }

  function drop() {
    lost += 1;
    if (file && performance.now() - measuredAt > measureMs) measure(file.handle).catch(() => {});
    if (fullDay === day) return;
    fullDay = day;
    report(
      `Os registros de acesso de ${day} chegaram ao limite ou o disco não os aceita; os próximos se perdem.`,
    );
  }

  return {
    write({ at, ip, method, path: where, status }) {
      if (at.getTime() !== now.getTime()) {
        now = at;
        time = at.toISOString();
      }
      const today = time.slice(0, dayLength);
      if (today !== day) beginDay(today);
      const [address, place] = [JSON.stringify(ip), JSON.stringify(where)];
      const line = `{"at":"${time}","ip":${address},"method":"${method}","path":${place},"status":${status}}\n`;
      const bytes = Buffer.byteLength(line);
      const held = waitingBytes + gathered + bytes;
      if (held > Math.min(room, mostWaitingBytes) || bytes > gatherBytes) return drop();
      if (gathered + bytes > gatherBytes) flush();
      gathered += lines.write(line, gathered);
      flushing ??= setTimeout(flush, gatherMs);
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
