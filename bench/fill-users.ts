/**
 * Fills a database with invented users: `node bench/fill-users.ts <data folder> [how many]`, by default a
 * million. With DATABASE_URL it fills that PostgreSQL database. Every run invents the same
 * users. Names have realistic frequencies. These users cannot sign in.
 */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import {
  connect,
  type Database,
  type DatabaseKind,
  databaseKind,
  migrate,
} from '#server/database/connect.ts';
import { withoutTimeLimit } from '#server/database/postgres.ts';
import { foldForSearch } from '#server/database/search-key.ts';
import { firstNames, mailHosts, surnames } from './names.ts';

const peoplePerInsert = 2_000;
const peoplePerTransaction = 50_000;
const firstSignUp = Date.UTC(2019, 0, 1);
const betweenSignUpsMs = 200_000;

type Invented = ReturnType<typeof invent>;

/** Adds `count` users. The table's triggers update the search index and the tally of users. */
export async function fillUsers(database: Database, kind: DatabaseKind, count: number): Promise<void> {
  if (kind === 'sqlite') await sql`pragma cache_size = -400000`.execute(database);
  for (let start = 0; start < count; start += peoplePerTransaction) {
    const end = Math.min(count, start + peoplePerTransaction);
    await database.transaction().execute(async (transaction) => {
      for (let index = start; index < end; index += peoplePerInsert) {
        const size = Math.min(peoplePerInsert, end - index);
        await insert(
          transaction,
          kind,
          Array.from({ length: size }, (_, offset) => invent(index + offset)),
        );
      }
    });
  }
  // Collects statistics for the query planner. By itself, PostgreSQL would do this only after some minutes.
  if (kind === 'sqlite') await sql`analyze`.execute(database);
  else
    await withoutTimeLimit(() =>
      database.connection().execute(async (connection) => {
        await sql`set statement_timeout = 0`.execute(connection);
        await sql`vacuum (analyze)`.execute(connection);
      }),
    );
}

async function insert(database: Database, kind: DatabaseKind, people: Invented[]) {
  const rows = JSON.stringify(people);
  const names = sql`id, "displayName", email, "emailVerified", "createdAt", "updatedAt", member, staff, research, category, "searchKey"`;
  if (kind === 'sqlite') {
    const field = (name: keyof Invented) => sql`value ->> ${sql.lit(`$.${name}`)}`;
    await sql`insert into users (${names})
      select ${sql.join([field('id'), field('displayName'), field('email')])}, 1,
        ${sql.join([field('createdAt'), field('createdAt'), field('member')])}, 0, 0,
        ${sql.join([field('category'), field('searchKey')])}
      from json_each(${rows})`.execute(database);
    return;
  }
  await sql`insert into users (${names})
    select id, "displayName", email, true, "createdAt", "createdAt", member, false, false, category, "searchKey"
    from json_to_recordset(${rows}::json) as person(
      id text, "displayName" text, email text, "createdAt" timestamptz, member text, category text, "searchKey" text
    )`.execute(database);
}

/** Invents the user with this number: the same number always gives the same user. */
function invent(index: number) {
  const dice = createHash('sha256').update(`pessoa ${index}`).digest();
  const pick = (list: readonly string[], at: number) => {
    // The square favours the start of a list, where the frequent names are.
    const part = (dice.readUInt32BE(at) / 2 ** 32) ** 2;
    return list[Math.floor(part * list.length)] ?? '';
  };
  const first = pick(firstNames, 0);
  const second = dice.readUInt8(4) < 90 ? ` ${pick(firstNames, 5)}` : '';
  const family = pick(surnames, 9);
  const mothers = dice.readUInt8(13) < 150 ? `${pick(surnames, 14)} ` : '';
  const displayName = `${first}${second} ${mothers}${family}`;
  const plain = (text: string) => foldForSearch(text).replaceAll(/[^a-z]/g, '');
  const email = `${plain(first)}.${plain(family)}${index}@${pick(mailHosts, 18)}`;
  return {
    id: dice.toString('base64url').replaceAll(/[-_]/g, 'x').slice(0, 32),
    displayName,
    email,
    createdAt: new Date(firstSignUp + index * betweenSignUpsMs).toISOString(),
    member: dice.readUInt8(22) < 20 ? 'member' : 'no',
    category: dice.readUInt8(23) < 60 ? 'patient' : null,
    searchKey: foldForSearch(`${displayName} ${email}`),
  };
}

if (import.meta.main) {
  const [dataDir = '', count = '1000000'] = process.argv.slice(2);
  const environment = { dataDir, databaseUrl: process.env.DATABASE_URL };
  if (!dataDir && !environment.databaseUrl)
    throw new Error('Say which data folder: node bench/fill-users.ts <folder> [how many]');
  const database = connect(environment);
  const started = performance.now();
  try {
    await migrate(database);
    await fillUsers(database, databaseKind(environment), Number(count));
    console.log(`${count} users in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  } finally {
    await database.destroy();
  }
}
