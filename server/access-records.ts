import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** One use of the site, as the law wants it recorded. */
export type AccessRecord = { at: Date; ip: string; method: string; path: string; status: number };

export type AccessRecords = {
  write(record: AccessRecord): void;
  close(): Promise<void>;
};

/** Six months (Marco Civil da Internet, art. 15), by the longest half of a year. */
const keptDays = 184;
const dayMs = 24 * 60 * 60_000;
/** Lines are gathered this long: a write for each of them would cost more than many an answer. */
const gatherMs = 100;
/** Longer than any line: Node takes no more than 16 KiB of a request's address and headers. */
const gatherBytes = 64 * 1024;

/**
 * Keeps date, time and address of every use in one file a day, secret to the server's own user, and removes the
 * files once six months have passed. Query strings, bodies and names are never in them.
 * @param folder made when missing
 */
export async function openAccessRecords(folder: string): Promise<AccessRecords> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeOld(folder, new Date());
  let day = '';
  let stream: WriteStream | undefined;
  // As bytes: the collector copies strings that wait, and they were most of what it had to do.
  const lines = Buffer.allocUnsafe(gatherBytes);
  let gathered = 0;
  let now = new Date(0);
  let time = '';
  let flushing: NodeJS.Timeout | undefined;

  function flush() {
    clearTimeout(flushing);
    flushing = undefined;
    // A copy, for the stream may write it later.
    if (gathered > 0) stream?.write(Buffer.from(lines.subarray(0, gathered)));
    gathered = 0;
  }

  return {
    write({ at, ip, method, path: where, status }) {
      if (at.getTime() !== now.getTime()) {
        now = at;
        time = at.toISOString();
      }
      const today = time.slice(0, dayLength);
      if (today !== day) {
        flush();
        stream?.end();
        stream = createWriteStream(path.join(folder, `${today}.jsonl`), { flags: 'a', mode: 0o600 });
        // A full disk must not end the server; it shows at the next write that has to be acknowledged.
        stream.on('error', () => {});
        if (day) removeOld(folder, at).catch(() => {});
        day = today;
      }
      const [address, place] = [JSON.stringify(ip), JSON.stringify(where)];
      const line = `{"at":"${time}","ip":${address},"method":"${method}","path":${place},"status":${status}}\n`;
      if (gathered + Buffer.byteLength(line) > gatherBytes) flush();
      gathered += lines.write(line, gathered);
      flushing ??= setTimeout(flush, gatherMs);
    },

    close: () => {
      flush();
      return new Promise((resolve) => (stream ? stream.end(resolve) : resolve()));
    },
  };
}

async function removeOld(folder: string, now: Date): Promise<void> {
  const oldest = dayOf(new Date(now.getTime() - keptDays * dayMs));
  for (const name of await readdir(folder)) {
    if (/^\d{4}-\d{2}-\d{2}\.jsonl$/.test(name) && name < oldest) await rm(path.join(folder, name));
  }
}

const dayLength = '2025-01-01'.length;
const dayOf = (time: Date) => time.toISOString().slice(0, dayLength);
