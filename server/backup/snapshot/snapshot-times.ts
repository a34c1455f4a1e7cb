import { StartError } from '../../environment.ts';
import type { BackupStore } from '../place/backup-store.ts';
import { findSnapshots } from './manifests.ts';
import { timeOfSnapshot } from './snapshot-format.ts';

const timeZone = 'America/Sao_Paulo';
const format = new Intl.DateTimeFormat('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
/** Brasília has had no summer time since 2019. */
const offset = '-03:00';

/** A clock that is ahead by less than this does not count as wrong. */
const toleranceMs = 60 * 60_000;

/** True if `time` is so far in the future that a clock was wrong. Both times are epoch milliseconds. */
export const isAhead = (time: number, now: number) => time > now + toleranceMs;

/** Returns the snapshots whose time is so far in the future that a clock was wrong. */
export const findAhead = (snapshots: readonly string[], now: number) =>
  snapshots.filter((name) => isAhead(timeOfSnapshot(name) ?? 0, now));

/** Returns the time of a snapshot by Brasília's clock, in Brazilian format. */
export const timeText = (snapshot: string) => format.format(timeOfSnapshot(snapshot));

/** Says that there are incomplete snapshots, if there are. */
export const incompleteText = (incomplete: readonly string[]): string[] =>
  incomplete.map(
    (name) =>
      `Há um backup incompleto de ${timeText(name)}: falta a lista das suas partes. Um restore com --at o usa, se o resto estiver inteiro.`,
  );

/**
 * Returns the newest complete snapshot, or the newest one that was made at or before a time.
 * @param at a day or a time by Brasília's clock (`2026-11-23`, `2026-11-23T08:00`), or in ISO 8601 with a
 * time zone
 * @param options.withIncomplete true to return an incomplete one, too, if `at` is given or there is no other
 * @throws StartError when there is none, or when a wrong clock makes it uncertain which one is the newest
 */
export async function findSnapshot(
  store: BackupStore,
  at: string | undefined,
  { now = Date.now(), withIncomplete = false } = {},
): Promise<string> {
  const until = at === undefined ? Number.POSITIVE_INFINITY : parseTime(at);
  const { complete, incomplete } = await findSnapshots(store);
  const usesAll = withIncomplete && (at !== undefined || complete.length === 0);
  const snapshots = usesAll ? [...complete, ...incomplete].sort() : complete;
  const [ahead] = at === undefined ? findAhead(snapshots, now) : [];
  if (ahead !== undefined)
    throw new StartError(
      `O backup de ${timeText(ahead)} tem a data no futuro: o relógio desta máquina está atrasado, ou estava adiantado o de quando ele foi feito. Acerte o relógio; se está certo, escolha um backup com --at (npm run backup -- list mostra quais há).`,
    );
  const found = snapshots.findLast((name) => (timeOfSnapshot(name) ?? 0) <= until);
  if (found !== undefined) return found;
  throw new StartError(
    [
      at === undefined
        ? `Não há backup em ${store.destination}.`
        : `Não há backup em ${store.destination} até ${at}.`,
      ...incompleteText(incomplete),
    ].join(' '),
  );
}

/** Parses a time. A day stands for its end, a minute for its last second. @returns epoch milliseconds */
function parseTime(at: string): number {
  const [, day, minute, second, zone] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?)?(Z|[+-]\d\d:\d\d)?$/.exec(at) ?? [];
  const time = Date.parse(`${day}T${minute ?? '23:59'}${second ?? ':59.999'}${zone ?? offset}`);
  if (!Number.isNaN(time)) return time;
  throw new StartError(`--at vale "${at}": escreva um dia ou uma hora, como 2026-11-23 ou 2026-11-23T08:00.`);
}
