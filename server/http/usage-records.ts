import { appendFile, mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { type DailyFile, isDailyFile, openDailyFile, statIfThere } from './daily-file.ts';

/**
 * One recorded request. The law requires its time and IP address. `path` is a pattern, never a real path. A
 * network that repeats requests many times in a minute gets one record with their number, `times`.
 */
type UsageRecord =
  | { at: Date; ip: string; method: string; path: string; status: number }
  | { at: Date; ip: string; times: number };

export type UsageRecords = Omit<DailyFile, 'write'> & { write(record: UsageRecord): void };

/**
 * Records the date, time and IP address of requests. The records contain no query strings, bodies or names.
 * @param folder created if missing; its parent folder must exist
 * @param report called with problems, like that of `openDailyFile`
 */
export async function openUsageRecords(
  folder: string,
  report?: (problem: string) => void,
): Promise<UsageRecords> {
  await moveEarlierFolder(folder);
  const file = await openDailyFile(folder, 'registros de acesso', report);
  return {
    ...file,
    write(record) {
      const ip = JSON.stringify(record.ip);
      if ('times' in record) return file.write(record.at, `"ip":${ip},"times":${record.times}}`);
      const { at, method, path, status } = record;
      file.write(at, `"ip":${ip},"method":"${method}","path":${JSON.stringify(path)},"status":${status}}`);
    },
  };
}

/** The name that the folder of usage records had in earlier versions of the program. */
const earlierFolder = 'access';

/** Moves the records of earlier versions of the program into the folder. */
async function moveEarlierFolder(folder: string): Promise<void> {
  const earlier = path.join(path.dirname(folder), earlierFolder);
  const names = (await readdir(earlier).catch(() => [])).filter(isDailyFile);
  if (names.length > 0) await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of names) {
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
