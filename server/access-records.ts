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

  return {
    write({ at, ip, method, path: where, status }) {
      const today = dayOf(at);
      if (today !== day) {
        stream?.end();
        stream = createWriteStream(path.join(folder, `${today}.jsonl`), { flags: 'a', mode: 0o600 });
        // A full disk must not end the server; it shows at the next write that has to be acknowledged.
        stream.on('error', () => {});
        if (day) removeOld(folder, at).catch(() => {});
        day = today;
      }
      stream?.write(`${JSON.stringify({ at: at.toISOString(), ip, method, path: where, status })}\n`);
    },

    close: () => new Promise((resolve) => (stream ? stream.end(resolve) : resolve())),
  };
}

async function removeOld(folder: string, now: Date): Promise<void> {
  const oldest = dayOf(new Date(now.getTime() - keptDays * dayMs));
  for (const name of await readdir(folder)) {
    if (/^\d{4}-\d{2}-\d{2}\.jsonl$/.test(name) && name < oldest) await rm(path.join(folder, name));
  }
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10);
