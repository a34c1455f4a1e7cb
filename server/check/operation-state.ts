import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { type BackupRun, lastTimeAt, listRuns } from '../backup/runs.ts';
import type { Database, DatabaseKind } from '../database/connect.ts';
import { isLeaseHeld } from '../database/leases.ts';
import { type Environment, isLocalhost } from '../environment.ts';

/** The state of the backups or of the disk, as `npm run check`, the dashboard and mails to admins say it. */
export type OperationState = {
  /** The state, and what to do. */
  text: string;
  isWell: boolean;
  /** What a mail to the admins says; undefined if no mail is necessary. */
  warning?: string;
};

/** The backups that the database knows, newest first, and whether a process is making one now. */
export type KnownBackups = { runs: BackupRun[]; isRunning: boolean };
export type Space = { free: number; total: number };

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** The limits of the alerts in deploy/alerts.yml. */
const [oldBackupHours, oldCheckDays] = [26, 9];
/** A drill is due once a month (docs/operate/backups.md). */
const oldDrillMs = 40 * dayMs;
/** A server checks twice a minute whether a backup is due. */
const missedMs = 2 * 60_000;
const lowPart = 0.1;

export async function readBackups(
  database: Database,
  kind: DatabaseKind,
  now: number,
): Promise<KnownBackups> {
  return { runs: await listRuns(database, now), isRunning: await isLeaseHeld(database, kind, 'backup') };
}

/** Describes the state of the backups. @param now epoch milliseconds */
export function stateOfBackups(
  { backup, publicUrl }: Pick<Environment, 'backup' | 'publicUrl'>,
  { runs, isRunning }: KnownBackups,
  now: number,
): OperationState {
  if (!backup)
    return isLocalhost(publicUrl)
      ? { isWell: true, text: 'Nenhum, porque o site é só deste computador.' }
      : {
          isWell: false,
          text: 'Nenhum lugar foi escolhido: escreva BACKUP_DIR e BACKUP_RECIPIENT. docs/backup.md diz como.',
        };
  const made = runs.filter(({ finishedAt }) => finishedAt !== null);
  const [last] = made;
  if (!last)
    return isRunning
      ? { isWell: true, text: 'O primeiro está sendo feito agora.' }
      : {
          isWell: false,
          text: 'Ainda não há nenhum: rode npm run backup.',
          warning: 'Ainda não há nenhum backup do site.',
        };
  const latest = (read: (run: BackupRun) => number | null) => Math.max(...made.map((run) => read(run) ?? 0));
  const [verifiedAt, drilledAt] = [latest((run) => run.verifiedAt), latest((run) => run.drilledAt)];
  const state = [
    `O último é de ${ageOf(now - last.startedAt)}`,
    verifiedAt > 0 ? `a última conferência, de ${ageOf(now - verifiedAt)}` : 'nenhum foi conferido',
    drilledAt > 0 ? `o último ensaio, de ${ageOf(now - drilledAt)}` : 'nenhum ensaio foi anotado',
  ].join('; ');
  const dueAt = backup.atMinute === undefined ? undefined : lastTimeAt(backup.atMinute, now);
  const isMissed = dueAt !== undefined && last.startedAt < dueAt && now > dueAt + missedMs && !isRunning;
  const bad = (warning: string, remedy: string): OperationState => ({
    isWell: false,
    text: `${state}. ${warning} ${remedy}`,
    warning,
  });
  if (now - last.startedAt > oldBackupHours * hourMs)
    return bad(
      `Há mais de ${oldBackupHours} horas nenhum backup dá certo.`,
      'Rode npm run backup, que diz o que impede.',
    );
  if (isMissed)
    return bad('O último backup diário não deu certo.', 'Rode npm run backup, que diz o que impede.');
  if ((made.find(({ damagedParts }) => damagedParts !== null)?.damagedParts ?? 0) > 0)
    return bad(
      'O último backup que foi conferido está danificado.',
      'Rode npm run backup, e depois npm run backup -- verify.',
    );
  if (now - verifiedAt > oldCheckDays * dayMs)
    return bad(
      verifiedAt === 0
        ? 'Nenhum backup foi conferido até hoje.'
        : `Há mais de ${oldCheckDays} dias nenhum backup é conferido.`,
      'Rode npm run backup -- verify.',
    );
  if (now - drilledAt > oldDrillMs)
    return {
      isWell: false,
      text: `${state}. Faça o ensaio de um backup, e anote-o com npm run backup -- drilled: docs/operate/backups.md diz como.`,
    };
  return { isWell: true, text: `${state}.` };
}

function ageOf(ms: number): string {
  const hours = Math.round(ms / hourMs);
  if (hours === 0) return 'menos de 1 hora atrás';
  if (hours < 48) return `${hours} ${hours === 1 ? 'hora' : 'horas'} atrás`;
  return `${Math.round(ms / dayMs)} dias atrás`;
}

/** Reads the space of the disk with this folder, in bytes. */
export async function readSpace(folder: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

const gigabyte = 1_000_000_000;

function sizeText(bytes: number): string {
  const [size, unit] = bytes < gigabyte ? [bytes / 1_000_000, 'MB'] : [bytes / gigabyte, 'GB'];
  return `${size.toLocaleString('pt-BR', { maximumFractionDigits: 1 })} ${unit}`;
}

/** Describes the free space of the disk with `folder`. */
export function stateOfSpace(folder: string, { free, total }: Space): OperationState {
  const shown = `${sizeText(free)} livres`;
  if (free >= total * lowPart) return { isWell: true, text: `${shown}.` };
  const warning = `Só há ${shown}, menos de um décimo, no disco de ${folder} (servidor ${hostname()}).`;
  return { isWell: false, text: `${warning} Abra espaço, antes que ele acabe.`, warning };
}
