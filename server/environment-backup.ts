import path from 'node:path';
import { limits } from '#contract/limits.ts';
import { readS3, type S3Settings, StartError } from './environment-values.ts';

/** Where a clinic keeps its backups, which keys they are encrypted for, and when they are made. */
export type BackupSettings = {
  /** A folder, or a bucket. */
  destination: { folder: string } | { s3: S3Settings };
  /** The public keys (age) that a backup is encrypted for. Each matching private key decrypts it. */
  recipients: string[];
  /** The time of the daily backup, in minutes after midnight in Brasília; `undefined` without a schedule. */
  atMinute: number | undefined;
  /** Backups are deleted after this many days. */
  days: number;
};

const defaultDays = 35;
/**
 * The smallest BACKUP_DAYS. An old backup is deleted only if there are recent ones of two dates
 * (`remove-old-backups.ts`). With one day, there would never be two.
 */
const leastDays = 2;
/** An age public key in Bech32, https://age-encryption.org/v1 */
const recipientPattern = /^age1[02-9ac-hj-np-z]{58}$/;

/** @throws StartError when a value is wrong */
export function readBackupSettings(
  read: (name: string) => string | undefined,
  dataDir: string,
): BackupSettings | undefined {
  const folder = read('BACKUP_DIR');
  const s3 = readS3(read, 'BACKUP_S3_', 'nenhum, para guardar os backups em BACKUP_DIR');
  const destination = readDestination(folder, s3, dataDir);
  if (!destination) {
    if (read('BACKUP_AT') === undefined) return undefined;
    throw new StartError('BACKUP_AT está escrito, mas falta o lugar dos backups: escreva BACKUP_DIR.');
  }
  return {
    destination,
    recipients: readRecipients(read('BACKUP_RECIPIENT')),
    atMinute: readMinute(read('BACKUP_AT')),
    days: readDays(read('BACKUP_DAYS')),
  };
}

function readDestination(
  folder: string | undefined,
  s3: S3Settings | undefined,
  dataDir: string,
): BackupSettings['destination'] | undefined {
  if (s3 && folder !== undefined)
    throw new StartError('BACKUP_DIR e BACKUP_S3_* estão escritos: escolha um lugar para os backups.');
  if (s3) return { s3 };
  if (folder === undefined) return undefined;
  const resolved = path.resolve(folder);
  const isInside = (outer: string, inner: string) => !path.relative(outer, inner).startsWith('..');
  if (isInside(dataDir, resolved) || isInside(resolved, dataDir))
    throw new StartError(
      `BACKUP_DIR (${resolved}) e a pasta de dados (${dataDir}) não podem ficar uma dentro da outra: escolha outra pasta, de preferência em outro disco.`,
    );
  return { folder: resolved };
}

/** The error message does not repeat the value, because it can be a private key that was set by mistake. */
function readRecipients(value: string | undefined): string[] {
  const recipients = (value ?? '').split(/[\s,]+/).filter((one) => one !== '');
  if (
    recipients.length >= 1 &&
    recipients.length <= 2 &&
    recipients.every((one) => recipientPattern.test(one))
  )
    return recipients;
  throw new StartError(
    'BACKUP_RECIPIENT precisa de uma ou duas chaves públicas, que começam com age1: npm run backup -- key cria uma.',
  );
}

function readMinute(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value) ?? [];
  if (hour !== undefined && minute !== undefined) return Number(hour) * 60 + Number(minute);
  throw new StartError(`BACKUP_AT vale "${value}": escreva uma hora, como BACKUP_AT=03:30.`);
}

function readDays(value: string | undefined): number {
  const days = Number(value ?? defaultDays);
  if (Number.isInteger(days) && days >= leastDays && days <= limits.backupMaxDays) return days;
  throw new StartError(
    `BACKUP_DAYS vale "${value}": escreva um número de dias, como BACKUP_DAYS=35, no mínimo ${leastDays} e no máximo ${limits.backupMaxDays}, que a página de privacidade promete.`,
  );
}
