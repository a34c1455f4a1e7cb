import { StartError } from '../../environment.ts';
import { version01 } from './013-version-0-1.ts';
import { version02 } from './033-version-0-2.ts';
import { searchKeys } from './034-search-keys.ts';
import { needs } from './035-needs.ts';
import { invitations } from './036-invitations.ts';
import { lastSeen } from './037-last-seen.ts';
import { newsletterIssues } from './038-newsletter-issues.ts';
import { passkeys } from './039-passkeys.ts';
import { diary } from './040-diary.ts';
import { assignments } from './041-assignments.ts';
import { reminders } from './042-reminders.ts';
import { order } from './043-order.ts';
import type { ReleasedMigration } from './released-migration.ts';

/** Kysely runs the migrations in the order of their names. Never edit a released migration. */
export const migrations: Record<string, ReleasedMigration> = {
  '013-version-0-1': version01,
  '033-version-0-2': version02,
  '034-search-keys': searchKeys,
  '035-needs': needs,
  '036-invitations': invitations,
  '037-last-seen': lastSeen,
  '038-newsletter-issues': newsletterIssues,
  '039-passkeys': passkeys,
  '040-diary': diary,
  '041-assignments': assignments,
  '042-reminders': reminders,
  '043-order': order,
};

/**
 * Until 2026-11-26, the program had 33 migrations: 13 in version 0.1.0, and 20 more before version 0.2.0.
 * Each of these is the last one that a migration of today has replaced.
 */
const replaced = { '013-access-log-actor': '013-version-0-1', '033-public-practices': '033-version-0-2' };

/** True if the name is that of one of the 33 replaced migrations. */
export const isReplaced = (name: string) => /^0(?:[0-2]\d|3[0-3])-/.test(name) && !(name in migrations);

/**
 * Returns the names of today's migrations for the names in a database's table of migrations.
 * @throws StartError when the tables are those of a state between versions 0.1.0 and 0.2.0
 */
export function currentNames(names: readonly string[]): string[] {
  const last = names.filter(isReplaced).sort().at(-1);
  if (last === undefined) return [...names];
  const current = currentName(last);
  const known = Object.keys(migrations).filter((name) => name <= current);
  return [...known, ...names.filter((name) => !isReplaced(name))];
}

/** Like `currentNames`, for the last migration of a database or of a backup. */
export function currentName(last: string): string {
  if (!isReplaced(last)) return last;
  const current = Object.entries(replaced).find(([name]) => name === last)?.[1];
  if (current !== undefined) return current;
  throw new StartError(
    `Os dados são de uma versão de teste deste programa, entre a 0.1.0 e a 0.2.0 (${last}). Nada foi mudado. Este programa só entende os dados dessas duas versões: use um backup ou uma cópia de uma delas; docs/backup.md diz como.`,
  );
}
