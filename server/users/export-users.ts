import { setImmediate } from 'node:timers/promises';
import type { ListedUser } from '#contract/user.ts';
import type { Database, DatabaseKind } from '../database/connect.ts';
import { csvLine } from '../http/csv.ts';
import { noteAccess } from './access-log.ts';
import { eachUserPage, type Selection } from './list-users.ts';

/** Few enough that nobody waits long for a part. */
const peoplePerPart = 100;
/** Without it Excel takes UTF-8 for something else, and every accent breaks. */
const byteOrderMark = '\uFEFF';

/**
 * The selected users as a table, in parts: whoever reads it slowly holds back no memory. Every part is in the
 * access log before it leaves. Its separator is the one of Excel in Portuguese.
 */
export async function* exportUsers(
  database: Database,
  kind: DatabaseKind,
  { selection, actorId }: { selection: Selection; actorId: string },
): AsyncGenerator<string> {
  yield byteOrderMark +
    csvLine(['nome', 'email', 'categoria', 'membro', 'equipe', 'pesquisa', 'cadastro'], ';');
  for await (const people of eachUserPage(database, kind, { ...selection, limit: peoplePerPart })) {
    await noteAccess(database, {
      actorId,
      subjectIds: people.map(({ id }) => id),
      action: 'read',
      what: 'users.csv',
    });
    yield people.map((person) => csvLine(cellsOf(person), ';')).join('');
    // SQLite answers without waiting for anything: let other people's requests come between.
    await setImmediate();
  }
}

function cellsOf({ displayName, email, category, member, staff, research, createdAt }: ListedUser): string[] {
  const yes = (flag: boolean) => (flag ? 'sim' : 'não');
  return [
    displayName,
    email,
    category ?? '',
    member === 'admin' ? 'administração' : yes(member),
    yes(staff),
    yes(research),
    new Date(createdAt).toISOString(),
  ];
}
