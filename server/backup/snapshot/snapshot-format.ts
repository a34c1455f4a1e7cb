import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { isReplaced, migrations } from '../../database/migrations/migrations.ts';
import { StartError } from '../../environment.ts';

/** The version of the format of snapshots. A program refuses a newer one. */
export const formatVersion = 1;

const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const count = z.number().check(z.int(), z.nonnegative());
/** The name of an object in the store. The pattern prevents a backup from naming any other file. */
const objectName = z.string().check(z.regex(/^(?:[\w-][\w.@-]*\/){1,3}[\w-][\w.@-]*$/));
const storedObject = z.strictObject({ name: objectName, bytes: count, sha256: digest });
export type NamedObject = z.output<typeof storedObject>;

const columnKind = z.enum(['flag', 'time', 'number', 'text', 'json']);
const tableName = z.string().check(z.regex(/^[A-Za-z]{1,40}$/));
const columnName = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9]{0,39}$/));
const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const row = z.record(columnName, cell);

/** The first line of a snapshot. It describes the tables, because a newer program may have others. */
const header = z.strictObject({
  format: z.literal('acolhe-backup'),
  formatVersion: count,
  program: z.string(),
  lastMigration: z.string(),
  createdAt: z.iso.datetime(),
  /** Absent when the secret comes from AUTH_SECRET. */
  authSecret: z.optional(z.string()),
  /** Identifies the secret of the backed-up site. */
  authSecretFingerprint: digest,
  /** Seals the keys of the diaries. Absent when it comes from DIARY_KEY. */
  diaryKey: z.optional(z.string()),
  tables: z.array(
    z.strictObject({ name: tableName, key: z.array(columnName), columns: z.record(columnName, columnKind) }),
  ),
});
export type SnapshotHeader = z.output<typeof header>;

const content = z.strictObject({
  key: z.string().check(z.regex(/^[0-9a-f]{10,80}(?:\.[\w.]{1,20})?$/)),
  bytes: count,
  stored: storedObject,
});
export type SnapshotContent = z.output<typeof content>;

const usageRecords = z.strictObject({
  file: z.string().check(z.regex(/^\d{4}-\d\d-\d\d\.jsonl(?:\.gz)?$/)),
  stored: storedObject,
});
export type SnapshotUsageRecords = z.output<typeof usageRecords>;

const tableDigest = z.strictObject({ rows: count, digest });

/** A line of a snapshot. The header comes first, then each table's rows and their end, then the contents. */
export const snapshotLine = z.union([
  z.strictObject({ table: tableName, row }),
  z.strictObject({ header }),
  z.strictObject({ tableEnd: tableName, ...tableDigest.shape }),
  z.strictObject({ content }),
  z.strictObject({ usageRecords }),
  /** The key of a content that was deleted with its file after the rows had been read. */
  z.strictObject({ leftOut: z.string() }),
]);
export type SnapshotLine = z.output<typeof snapshotLine>;

/** A line of a manifest. A manifest lists all objects of a snapshot and is readable without a key. */
export const manifestLine = z.union([
  z.strictObject({
    manifest: z.strictObject({
      formatVersion: count,
      snapshot: z.string(),
      createdAt: z.iso.datetime(),
      program: z.string(),
    }),
  }),
  z.strictObject({ object: storedObject }),
]);

/** Returns the source of an object: what the object is a copy of. `sourceObject` names the object. */
export const contentSource = (key: string) => `contents/${key.slice(0, 2)}/${key}`;
/**
 * Returns the source of an object with usage records. A file of usage records only grows, so its size
 * identifies its state. The files of all machines have the same names, so the source also contains the id of
 * the machine's data folder.
 */
export const usageRecordsSource = (file: string, bytes: number, folderId: string) =>
  `usage-records/${file}@${bytes}.${folderId}`;
/**
 * Returns the name of a source's object. The name depends on the public keys, so each snapshot has only
 * objects that its private keys open. An object with a number above 1 replaces a damaged one.
 * @param recipients the fingerprint of the public keys
 */
export const sourceObject = (source: string, recipients: string, number: number) =>
  `${source}@${recipients}${number === 1 ? '' : `-${number}`}.age`;
export const snapshotFolder = (snapshot: string) => `snapshots/${snapshot}`;
export const snapshotObject = (snapshot: string) => `${snapshotFolder(snapshot)}/snapshot.age`;
export const manifestObject = (snapshot: string) => `${snapshotFolder(snapshot)}/manifest.jsonl`;

/** Returns the name of a snapshot: its time in UTC. */
export const snapshotName = (time: Date) => time.toISOString().replaceAll(/[:.]/g, '-');
const namePattern = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/;
/** Returns the time in a snapshot's name, in epoch milliseconds; undefined for another name. */
export function timeOfSnapshot(name: string): number | undefined {
  const [, day, ...parts] = namePattern.exec(name) ?? [];
  const [hour, minute, second, milliseconds] = parts;
  return day === undefined ? undefined : Date.parse(`${day}T${hour}:${minute}:${second}.${milliseconds}Z`);
}
/** Returns the day of a snapshot in UTC, such as `2026-11-23`. */
export const dayOf = (snapshot: string) => snapshot.slice(0, '2026-11-23'.length);

/** Returns a digest that identifies a secret. It does not reveal the secret, which is random and long. */
export const fingerprintOf = (secret: string) =>
  createHash('sha256').update(`acolhe auth secret\0${secret}`).digest('hex');

/** Thrown when a newer program has made the backup. */
export class NewerBackup extends StartError {
  constructor(program: string) {
    super(
      `O backup é de uma versão mais nova deste programa (${program}). Nada foi mudado. Instale essa versão, ou uma mais nova, e tente de novo.`,
    );
  }
}

/** The fields that the first line of a snapshot or a manifest has in all versions of the format. */
const about = z.object({
  formatVersion: z.number(),
  program: z.string(),
  lastMigration: z.optional(z.string()),
});
const firstLine = z.union([z.object({ header: about }), z.object({ manifest: about })]);

/**
 * Checks the first line before its other fields and the other lines are read, because this program may not
 * know their form.
 * @throws NewerBackup
 */
export function requireKnownVersion(line: unknown): void {
  const { data } = firstLine.safeParse(line);
  // If this is not a valid first line, the caller's schema for all lines finds what is wrong.
  if (!data) return;
  const { formatVersion: version, program, lastMigration } = 'header' in data ? data.header : data.manifest;
  const isKnown = lastMigration === undefined || lastMigration in migrations || isReplaced(lastMigration);
  if (version > formatVersion || !isKnown) throw new NewerBackup(program);
}
