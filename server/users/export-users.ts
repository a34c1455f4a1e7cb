import { setImmediate } from 'node:timers/promises';
import { categoryName, roleName } from '#contract/user.ts';
import type { Database, DatabaseKind } from '../database/connect.ts';
import { csvLine } from '../http/csv.ts';
import { noteAccess } from './access-log.ts';
import { eachUserPage, type FoundUser, type Selection } from './list-users.ts';

/** Small, so that other requests wait only briefly while a part is read. */
const usersPerPart = 100;
/** Without a byte order mark Excel does not detect UTF-8, and shows accents wrong. */
const byteOrderMark = '\uFEFF';

/**
 * Exports the selected users as CSV, in parts, so that a slow client uses little of the server's memory. The
 * access log records the users of each part before that part is sent. The separator is a semicolon, as in
 * Excel in Portuguese.
 */
export async function* exportUsers(
  database: Database,
  kind: DatabaseKind,
  { selection, actorId }: { selection: Selection; actorId: string },
): AsyncGenerator<string> {
  yield byteOrderMark +
    csvLine(
      [
        ...['nome', 'email', 'categoria', 'membro', 'equipe', 'pesquisa', 'cadastro', 'email_confirmado'],
        'ultima_visita',
      ],
      ';',
    );
  for await (const users of eachUserPage(database, kind, { ...selection, limit: usersPerPart })) {
    await noteAccess(database, {
      actorId,
      subjectIds: users.map(({ id }) => id),
      action: 'read',
      what: 'users.csv',
    });
    yield users.map((user) => csvLine(cellsOf(user), ';')).join('');
    // SQLite's calls block the process, so let other requests run between two parts.
    await setImmediate();
  }
}

function cellsOf({
  displayName,
  email,
  emailVerified,
  category,
  member,
  staff,
  research,
  createdAt,
  lastSeenOn,
}: FoundUser): string[] {
  const yes = (flag: boolean) => (flag ? 'sim' : 'não');
  return [
    displayName,
    email,
    category === undefined ? '' : categoryName(category),
    typeof member === 'string' ? roleName(member).toLowerCase() : yes(member),
    yes(staff),
    yes(research),
    new Date(createdAt).toISOString(),
    yes(emailVerified),
    lastSeenOn ?? '',
  ];
}
