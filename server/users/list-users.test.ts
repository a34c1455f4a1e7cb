import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import type { Client } from '#client/client.ts';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import { foldForSearch } from '#contract/text.ts';
import { type SortOrder, sortOrders, type UserSort, type UsersSelection, userSorts } from '#contract/user.ts';
import { cleanUp } from '../database/clean-up.ts';
import type { Database, DatabaseKind } from '../database/connect.ts';
import { databaseKinds } from '../testing/databases.ts';
import { refusedWith } from '../testing/refused.ts';
import { startTestServer } from '../testing/server.ts';

for (const kind of databaseKinds) {
  describe(`lists of users on ${kind}`, { concurrency: true }, () => {
    it('finds parts of names and email addresses, ignoring accents and case', async (t) => {
      const { client, add } = await startWithUsers(t, kind);
      await add('João Antônio Ávila', 'joao.avila@exemplo.com.br');
      await add('Íris de Sá', 'iris@hospital.example');
      assert.deepEqual(await found(client, 'JOAO'), ['João Antônio Ávila']);
      assert.deepEqual(await found(client, 'ntôni'), ['João Antônio Ávila']);
      assert.deepEqual(await found(client, 'avila joão'), ['João Antônio Ávila']);
      assert.deepEqual(await found(client, 'ÍRIS'), ['Íris de Sá']);
      assert.deepEqual(await found(client, 'hospital.ex'), ['Íris de Sá']);
      assert.deepEqual(await found(client, '  sa   iris '), ['Íris de Sá']);
      assert.deepEqual(await found(client, 'joão íris'), []);
      await add('Ana–Lúcia D’Ávila', 'ana@exemplo.com.br');
      for (const search of ["d'avila", 'D’ÁVILA', 'd´avila', 'ana-lucia', 'Ana—Lúcia'])
        assert.deepEqual(await found(client, search), ['Ana–Lúcia D’Ávila'], search);
      assert.equal((await found(client, '   ')).length, 4);
    });

    it('finds one and two letters at the start of a word', async (t) => {
      const { client, add } = await startWithUsers(t, kind);
      await add('Bruna Dias', 'um@exemplo.com.br');
      await add('Ana Brito', 'dois@exemplo.com.br');
      assert.deepEqual(await found(client, 'b'), ['Ana Brito', 'Bruna Dias']);
      assert.deepEqual(await found(client, 'BR'), ['Ana Brito', 'Bruna Dias']);
      assert.deepEqual(await found(client, 'br di'), ['Bruna Dias']);
      assert.deepEqual(await found(client, 'do'), ['Ana Brito']);
      assert.deepEqual(await found(client, 'ru'), []);
    });

    it("treats the database's special characters as plain text", async (t) => {
      const { client, add } = await startWithUsers(t, kind);
      await add(`100% José_ "Zé" * O'Hara`, 'sinais@exemplo.com.br');
      await add('100 Jose Ze O Hara AND OR NOT', 'nada@exemplo.com.br');
      await add('(Rui) % +++ Ação…–!', '_rui@exemplo.com.br');
      for (const search of ['100%', '00%', 'jose_', 'se_', '"ze"', '"', '*', "o'hara", "o'"])
        assert.deepEqual(await found(client, search), [`100% José_ "Zé" * O'Hara`], search);
      for (const search of ['(', '%', '+', '++', '+++', '…–!', '_', '( % _', 'rui +++'])
        assert.deepEqual(await found(client, search), ['(Rui) % +++ Ação…–!'], search);
      for (const search of [
        '=',
        '\\',
        '-',
        '--',
        "' or 1=1 --",
        'x" OR "jos',
        ')',
        'jos*',
        'key:jos',
        '🙂',
        '🙂🙂🙂',
      ])
        assert.deepEqual(await found(client, search), [], search);
      assert.deepEqual(await found(client, 'and not'), ['100 Jose Ze O Hara AND OR NOT']);
    });

    it('shows recent changes: sign-up, new name, deletion', async (t) => {
      const server = await startTestServer(t, kind);
      const { client } = await server.join('admin', 'Zélia');
      const user = await server.join('no', 'Ubiratã Nóbrega');
      assert.deepEqual(await found(client, 'ubirata'), ['Ubiratã Nóbrega']);
      await user.client.documents.updateUser(user.uid, { displayName: 'Raí Nóbrega' });
      assert.deepEqual(await found(client, 'ubirata'), []);
      assert.deepEqual(await found(client, 'rai nob'), ['Raí Nóbrega']);
      assert.equal((await client.documents.listUsers()).total, 2);
      await user.client.auth.deleteAccount({ password: user.password });
      assert.deepEqual(await found(client, 'nobrega'), []);
      assert.equal((await client.documents.listUsers()).total, 1);
      assert.equal((await client.documents.getCounts()).users, 1);
      await cleanUp(server.database, kind);
      assert.equal((await client.documents.getCounts()).users, 1);
    });

    it('rolls back the search entry of a failed sign-up', async (t) => {
      const { client, add, database } = await startWithUsers(t, kind);
      await assert.rejects(
        database.transaction().execute(async (transaction) => {
          await add('Ninguém Ainda', 'ninguem@exemplo.com.br', transaction);
          throw new Error('no');
        }),
      );
      assert.deepEqual(await found(client, 'ninguem'), []);
      assert.equal((await client.documents.listUsers()).total, 1);
    });

    for (const sort of userSorts)
      for (const order of sortOrders)
        it(`pages by ${sort}, ${order}, without gaps or repeats while users sign up`, async (t) => {
          const { client, uid, add, database } = await startWithUsers(t, kind);
          // Many of these users have the same name or sign-up time.
          for (let index = 0; index < 23; index += 1)
            await add(`Ana ${'ÁbÇ'[index % 3]}`, `ana${(index * 7) % 23}@exemplo.com.br`);
          const before = await database.selectFrom('users').select('id').execute();
          for (const search of ['', 'an']) {
            const pages: string[][] = [];
            let after: string | undefined;
            do {
              const query = { sort, order, limit: 4, ...(search && { search }), ...(after && { after }) };
              const page = await client.documents.listUsers(query);
              pages.push(page.documents.map(({ id }) => id));
              after = page.next ?? undefined;
              await add('Ana A', `nova${search}${pages.length}@exemplo.com.br`);
            } while (after && pages.length < 40);
            const ids = pages.flat();
            assert.equal(new Set(ids).size, ids.length, 'no user twice');
            const wanted = before.map(({ id }) => id).filter((id) => search === '' || id !== uid);
            assert.deepEqual(
              wanted.filter((id) => !ids.includes(id)),
              [],
              'no user is missing',
            );
          }
        });

    it('orders names without accents, email addresses by their letters, sign-ups by their time', async (t) => {
      const { client, add } = await startWithUsers(t, kind);
      await add('Ágata', 'c@exemplo.com.br', undefined, '2024-03-01T12:00:00.000Z');
      await add('bruno', 'a_1@exemplo.com.br', undefined, '2024-01-01T12:00:00.000Z');
      await add('Érica', 'a.1@exemplo.com.br', undefined, '2024-02-01T12:00:00.000Z');
      const names = async (sort: UserSort, order: SortOrder) =>
        (await client.documents.listUsers({ sort, order })).documents
          .map(({ displayName }) => displayName)
          .filter((name) => name !== 'Zélia');
      assert.deepEqual(await names('name', 'asc'), ['Ágata', 'bruno', 'Érica']);
      assert.deepEqual(await names('name', 'desc'), ['Érica', 'bruno', 'Ágata']);
      assert.deepEqual(await names('email', 'asc'), ['Érica', 'bruno', 'Ágata']);
      assert.deepEqual(await names('createdAt', 'asc'), ['bruno', 'Érica', 'Ágata']);
      assert.deepEqual(await names('createdAt', 'desc'), ['Ágata', 'Érica', 'bruno']);
      const [first] = (await client.documents.listUsers({ sort: 'createdAt' })).documents;
      assert.equal(first?.createdAt, Date.UTC(2024, 0, 1, 12));
    });

    it('refuses the cursor of another order', async (t) => {
      const { fetch, client, add } = await startWithUsers(t, kind);
      await add('Ana', 'ana@exemplo.com.br');
      const { next } = await client.documents.listUsers({ limit: 1 });
      for (const query of [`sort=email&after=${next}`, `sort=createdAt&after=${next}`])
        assert.equal((await fetch(`${paths.documents.users}?${query}`)).status, 400, query);
      for (const cursor of [
        ['createdAt', '2024', 'x'],
        ['createdAt', 1e300, 'x'],
        ['name', '\0', 'x'],
        ['name', 1, 'x'],
      ]) {
        const after = Buffer.from(JSON.stringify(cursor)).toString('base64url');
        const response = await fetch(`${paths.documents.users}?sort=${cursor[0]}&after=${after}`);
        assert.equal(response.status, 400, `${cursor}`);
      }
    });

    it('limits the count of a search, but still pages through all results', async (t) => {
      const { client, database } = await startWithUsers(t, kind);
      const count = limits.countedUsers + 200;
      await addMany(database, kind, count, (index) => `${index % 2 ? 'Maria' : 'Outra Maria'} ${index}`);
      const page = await client.documents.listUsers({ search: 'maria', limit: 100 });
      assert.deepEqual([page.total, page.totalIsExact], [limits.countedUsers, false]);
      const ids = new Set(page.documents.map(({ id }) => id));
      for (let { next } = page; next; ) {
        const more = await client.documents.listUsers({ search: 'maria', limit: 100, after: next });
        for (const { id } of more.documents) ids.add(id);
        next = more.next;
      }
      assert.equal(ids.size, count);
      const few = await client.documents.listUsers({ search: 'maria 77' });
      assert.equal(few.totalIsExact, true);
      assert.equal((await client.documents.listUsers()).total, count + 1);
    });

    it('filters by role, verified email address and sign-up, also in searches and in the export', async (t) => {
      const { client, fetch, add, server } = await startWithUsers(t, kind);
      const member = await server.join('member', 'Ana Membro');
      await add('Ana Antiga', 'antiga@exemplo.com.br', undefined, '2024-01-01T12:00:00.000Z');
      await add('Bia Antiga', 'bia@exemplo.com.br', undefined, '2024-02-01T12:00:00.000Z');
      const names = async (query: UsersSelection) => {
        const { documents, total } = await client.documents.listUsers(query);
        assert.equal(total, documents.length);
        return documents.map(({ displayName }) => displayName);
      };
      assert.deepEqual(await names({ role: 'admin' }), ['Zélia']);
      assert.deepEqual(await names({ role: 'member' }), ['Ana Membro']);
      assert.deepEqual(await names({ role: 'no' }), ['Ana Antiga', 'Bia Antiga']);
      assert.deepEqual(await names({ verified: 'yes' }), []);
      await server.database
        .updateTable('users')
        .set({ emailVerified: true })
        .where('id', '=', member.uid)
        .execute();
      assert.deepEqual(await names({ verified: 'yes' }), ['Ana Membro']);
      assert.deepEqual(await names({ since: Date.UTC(2024, 0, 15), sort: 'createdAt', order: 'desc' }), [
        'Ana Membro',
        'Zélia',
        'Bia Antiga',
      ]);
      const lastYear = Date.UTC(9999, 11, 31);
      assert.deepEqual(await names({ since: lastYear }), []);
      await assert.rejects(names({ since: lastYear + 86_400_000 }), refusedWith('request/invalid'));
      assert.deepEqual(await names({ search: 'ana' }), ['Ana Antiga', 'Ana Membro']);
      assert.deepEqual(await names({ search: 'ana', verified: 'no' }), ['Ana Antiga']);
      assert.deepEqual(await names({ search: 'ana', role: 'no', since: Date.UTC(2024, 5) }), []);
      const csv = await (await fetch(`${paths.documents.usersCsv}?role=no&search=bia`)).text();
      assert.deepEqual([csv.includes('Bia Antiga'), csv.trim().split('\r\n').length], [true, 2]);
    });

    it('counts new users without the team, and names the last day of each user', async (t) => {
      const { client, uid, add, server } = await startWithUsers(t, kind);
      const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60_000).toISOString();
      await add('Uma', 'uma@exemplo.com.br', undefined, daysAgo(6.9));
      await add('Duas', 'duas@exemplo.com.br', undefined, daysAgo(7.1));
      await add('Antes', 'antes@exemplo.com.br', undefined, daysAgo(30.1));
      const staff = await server.join('no', 'Estela Equipe');
      await client.documents.updateUser(staff.uid, { staff: true });
      assert.deepEqual((await client.documents.getCounts()).newUsers, { in7Days: 1, in30Days: 2 });

      const { documents } = await client.documents.listUsers();
      const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' }).format();
      const seen = documents.map(({ id, lastSeenOn }) => [id, lastSeenOn]);
      assert.deepEqual(Object.fromEntries(seen), {
        [uid]: today,
        [staff.uid]: today,
        'pessoa-1': null,
        'pessoa-2': null,
        'pessoa-3': null,
      });
      assert.equal((await client.documents.exportAccount()).lastSeenOn, today);
    });

    it('exports all users as a table for Excel, without formulas', async (t) => {
      const { fetch, client, add, database, server } = await startWithUsers(t, kind);
      const user = await server.join('no', 'Ana Lúcia');
      await add('=HYPERLINK("http://mau.example")', 'formula@exemplo.com.br');
      await add('Conceição; "Ção"', 'ponto@exemplo.com.br', database, '2024-03-01T12:00:00.000Z');
      await client.documents.updateUser(user.uid, { member: true, staff: true, category: '+55' });
      const response = await fetch(paths.documents.usersCsv);
      assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
      assert.equal(response.headers.get('cache-control'), 'no-store');
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
      const lines = bytes.subarray(3).toString().split('\r\n');
      assert.equal(
        lines[0],
        '"nome";"email";"categoria";"membro";"equipe";"pesquisa";"cadastro";"email_confirmado";"ultima_visita"',
      );
      assert.equal(lines.length, 1 + 4 + 1);
      assert.ok(lines[1]?.startsWith(`"'=HYPERLINK(""http://mau.example"")";`), lines.join());
      assert.ok(
        lines.includes(
          '"Conceição; ""Ção""";"ponto@exemplo.com.br";"";"não";"não";"não";"2024-03-01T12:00:00.000Z";"não";""',
        ),
      );
      assert.ok(lines.some((line) => line.includes(`"'+55";"sim";"sim";"não"`)));
      const { accessLog } = await user.client.documents.exportAccount();
      assert.ok(accessLog.some(({ action, what }) => action === 'read' && what === 'users.csv'));
    });

    it('exports all pages of a search, in its order', async (t) => {
      const { fetch, database } = await startWithUsers(t, kind);
      await addMany(database, kind, 1_300, (index) => `Gente ${String(index).padStart(4, '0')}`);
      const csv = await (await fetch(`${paths.documents.usersCsv}?search=gente&order=desc`)).text();
      const lines = csv.trim().split('\r\n');
      assert.equal(lines.length, 1_301);
      assert.ok(lines[1]?.startsWith('"Gente 1299"'));
      assert.ok(lines.at(-1)?.startsWith('"Gente 0000"'));
      const noted = await database
        .selectFrom('accessLog')
        .select((row) => row.fn.countAll<number>().as('count'))
        .where('what', '=', 'users.csv')
        .executeTakeFirstOrThrow();
      assert.equal(Number(noted.count), 1_300);
      assert.equal((await fetch(`${paths.documents.usersCsv}?limit=1`)).status, 400);
    });
  });
}

/** Starts a server with an admin named Zélia. `add` inserts users directly, because a sign-up is slow. */
async function startWithUsers(t: TestContext, kind: DatabaseKind) {
  const server = await startTestServer(t, kind);
  const admin = await server.join('admin', 'Zélia');
  let number = 0;
  const add = async (
    displayName: string,
    email: string,
    database: Database = server.database,
    createdAt = '2025-01-01T12:00:00.000Z',
  ) => {
    number += 1;
    await insert(database, kind, [{ id: `pessoa-${number}`, displayName, email, createdAt }]);
  };
  return { ...admin, server, database: server.database, add };
}

async function addMany(
  database: Database,
  kind: DatabaseKind,
  count: number,
  nameOf: (index: number) => string,
) {
  const users = Array.from({ length: count }, (_, index) => ({
    id: `muitas-${index}`,
    displayName: nameOf(index),
    email: `muitas${index}@exemplo.com.br`,
    createdAt: '2025-01-01T12:00:00.000Z',
  }));
  await insert(database, kind, users);
}

/** Inserts users. Writes times as Better Auth does, which is as text in SQLite. */
async function insert(
  database: Database,
  kind: DatabaseKind,
  users: { id: string; displayName: string; email: string; createdAt: string }[],
) {
  const flag = kind === 'sqlite' ? sql`0` : sql`false`;
  const write = async (transaction: Database) => {
    for (const { id, displayName, email, createdAt } of users) {
      const searchKey = foldForSearch(`${displayName} ${email}`);
      await sql`insert into users
          (id, "displayName", email, "emailVerified", "createdAt", "updatedAt", member, staff, research, "searchKey")
        values (${id}, ${displayName}, ${email}, ${flag}, ${createdAt}, ${createdAt}, 'no', ${flag}, ${flag}, ${searchKey})`.execute(
        transaction,
      );
    }
  };
  await (database.isTransaction ? write(database) : database.transaction().execute(write));
}

async function found(client: Client, search: string): Promise<string[]> {
  const { documents, total, totalIsExact } = await client.documents.listUsers({ search });
  assert.deepEqual([total, totalIsExact], [documents.length, true]);
  return documents.map(({ displayName }) => displayName);
}
