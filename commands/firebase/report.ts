import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/** One part of the export, and why the import changes it or leaves it out. */
export type Entry = {
  /** For example `accounts/<id>`, `activities/mindActsList/3`, `files/<bucket>/<name>`. */
  id: string;
  /** Empty when the reason concerns everything that `id` names. */
  field: string;
  /** A sentence in Portuguese. It contains no data of the user. */
  reason: string;
};

/** Collects what the import rejects or leaves out. */
export type Report = {
  /** Errors in the export. Even one prevents the import, unless the operator chooses `--skip-invalid`. */
  rejected: Entry[];
  /** What no import contains, for example disabled accounts. */
  notImported: Entry[];
  /** What the import contains in another form. */
  changed: Entry[];
  /** The accounts whose document `users/{uid}` says that they are admins. */
  saidToBeAdmin: { id: string; email: string }[];
  reject(id: string, field: string, reason: string): void;
  leaveOut(id: string, field: string, reason: string): void;
  change(id: string, field: string, reason: string): void;
};

export function createReport(): Report {
  const rejected: Entry[] = [];
  const notImported: Entry[] = [];
  const changed: Entry[] = [];
  const addTo = (entries: Entry[]) => (id: string, field: string, reason: string) =>
    void entries.push({ id: printable(id), field: printable(field), reason });
  return {
    rejected,
    notImported,
    changed,
    saidToBeAdmin: [],
    reject: addTo(rejected),
    leaveOut: addTo(notImported),
    change: addTo(changed),
  };
}

const mostCharacters = 300;

/** Replaces control characters, because the ids in a hostile export could control the operator's terminal. */
export const printable = (text: string): string =>
  text.slice(0, mostCharacters).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');

/** Writes the report as JSON, whole or not at all. Only this user can read the file. */
export async function writeReport(file: string, report: Report): Promise<void> {
  const { rejected, notImported, changed, saidToBeAdmin } = report;
  const unfinished = `${file}.${randomUUID()}.tmp`;
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    await handle.writeFile(
      `${JSON.stringify({ rejected, notImported, changed, saidToBeAdmin }, undefined, 2)}\n`,
    );
    await handle.close();
    await rename(unfinished, file);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(unfinished, { force: true });
    throw error;
  }
}
