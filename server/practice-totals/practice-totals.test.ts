import assert from 'node:assert/strict';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { paths } from '#contract/paths.ts';
import { type PracticeEvent, practiceEvents } from '#contract/practices/totals.ts';
import type { SiteContent } from '#contract/site/content.ts';
import { rateLimits } from '../auth/rate-limits.ts';
import type { DatabaseKind } from '../database/connect.ts';
import { sampleContent } from '../site/content.ts';
import { allDatabaseKinds, databaseKinds, isFullLevel } from '../testing/databases.ts';
import { refusedWith } from '../testing/refused.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { realIdentity, withFields } from '../testing/site-content.ts';
import { addUse, countUse, createUsesOfToday, deleteOldTotals } from './totals.ts';

const concurrent = 100;
/**
 * The number of events that are counted in one row. The test on PostgreSQL uses fewer, because a transaction
 * costs more there than on SQLite.
 */
const folded = { sqlite: 2_000_000, postgres: 50_000 };
const mostGrowthBytes = 128 * 1024;

for (const kind of databaseKinds) {
  describe(`totals of practices on ${kind}`, { concurrency: true }, () => {
    it('are counted for visitors and read by admins, the most opened first', async (t) => {
      const { server, ids, admin } = await serverWithPractices(t, kind, 'Respirar', 'Caminhar', 'Ouvir');
      const [breathe, walk, listen] = ids;
      await use(server, breathe, { opened: 13, played: 40, finished: 22 });
      await use(server, walk, { opened: 30 });
      await use(server, listen, { played: 17 });
      const { month, months, practices, counting } = await admin.client.documents.getPracticeTotals();
      assert.deepEqual([months, counting], [[month], true]);
      assert.match(month, /^20\d\d-\d\d$/);
      assert.deepEqual(
        practices.map(({ id, title, axis }) => [id, title, axis]),
        [
          [walk, 'Caminhar', 'mind'],
          [breathe, 'Respirar', 'mind'],
          [listen, 'Ouvir', 'mind'],
        ],
      );
      const counts = practices.flatMap(({ opened, played, finished }) => [opened, played, finished]);
      const exact = [30, 0, 0, 13, 40, 22, 0, 17, 0];
      for (const [place, count] of counts.entries()) assertRounded(count, exact[place] ?? 0);
    });

    it('do not reveal the exact count to someone who adds uses until the shown number changes', async (t) => {
      const titles = Array.from({ length: 24 }, (_, index) => `Prática ${index}`);
      const { server, ids, admin } = await serverWithPractices(t, kind, ...titles);
      const read = async () => (await admin.client.documents.getPracticeTotals()).practices;
      const hidden = (id: string) => (ids.indexOf(id) % 2) + 2;
      for (const id of ids) await countMany(server, id, Date.now(), hidden(id));
      const needed = new Map<string, number>();
      for (let added = 1; needed.size < ids.length; added += 1) {
        for (const id of ids) await countMany(server, id, Date.now(), 1);
        for (const { id, opened } of await read()) {
          if (!needed.has(id)) needed.set(id, added);
          assertRounded(opened, hidden(id) + added);
        }
      }
      const [ofTwo, ofThree] = [2, 3].map(
        (count) => new Set(ids.filter((id) => hidden(id) === count).map((id) => needed.get(id))),
      );
      assert.ok(ofTwo && ofThree && ofTwo.size > 1 && ofThree.size > 1);
      assert.ok([...ofTwo].some((added) => ofThree.has(added)));
    });

    it('count a visitor once a day for each practice and kind of use', async (t) => {
      const { server, ids } = await serverWithPractices(t, kind, 'Respirar', 'Caminhar');
      const [breathe, walk] = ids;
      for (const id of [breathe, walk])
        await use(server, id, { opened: 20, played: 20 }, { ip: '2001:db8:1:2::3' });
      await use(server, breathe, { opened: 1 }, { ip: '2001:db8:1:2::4' });
      await use(server, breathe, { opened: 1 }, { ip: '2001:db8:1:3::3' });
      const rows = (await stored(server)).map(({ activityId, opened, played, finished }) => [
        ...[activityId, opened, played, finished],
      ]);
      assert.deepEqual(rows.sort(), [[breathe, 2, 1, 0] as unknown[], [walk, 1, 1, 0]].sort());
    });

    it('reveal no count below five, neither by a row, nor by a month, nor by the order', async (t) => {
      const { server, ids, admin } = await serverWithPractices(t, kind, 'Zelar', 'Amar', 'Nenhum');
      const [zelar, amar, few] = ids;
      await use(server, zelar, { opened: 4, played: 9, finished: 4 });
      await use(server, amar, { opened: 1, played: 9 });
      await use(server, few, { opened: 4, played: 4, finished: 4 });
      await countMany(server, few, Date.UTC(2026, 4, 10), 4);
      const { months, month, practices } = await admin.client.documents.getPracticeTotals();
      assert.deepEqual(months, [month]);
      assert.deepEqual(
        practices.map(({ title, opened, played, finished }) => [title, opened, played, finished]),
        [
          ['Amar', null, 5, null],
          ['Zelar', null, 5, null],
        ],
      );
    });

    it('drop events for ids that no public activity has, with the same response as for all others', async (t) => {
      const { server, ids, admin } = await serverWithPractices(t, kind, 'Respirar');
      const [id] = ids;
      const hidden = sampleActivity({ visibility: 'hidden' });
      await use(server, (await admin.client.documents.createActivity(hidden)).id, { opened: 6 });
      await use(server, 'inventada', { opened: 6 });
      assert.deepEqual(await stored(server), []);
      await use(server, id, { opened: 9 });
      const [activity] = (await admin.client.documents.getActivities('mindActsList')).activities;
      assert.ok(activity);
      await admin.client.documents.deleteActivity(activity);
      await use(server, id, { opened: 6, played: 6 });
      assert.deepEqual(
        (await stored(server)).map(({ opened, played }) => [opened, played]),
        [[9, 0]],
      );
      const { practices } = await admin.client.documents.getPracticeTotals();
      const gone = { title: null, axis: null, opened: 5, played: null, finished: null };
      assert.deepEqual(practices, [{ id, ...gone }]);
    });

    it('follow the clock in Brasília and are deleted after thirteen months', async (t) => {
      const { server, ids, admin } = await serverWithPractices(t, kind, 'Respirar');
      const [id] = ids;
      for (const time of ['2025-10-01T02:59Z', '2025-10-01T03:00Z', '2026-11-01T02:59Z', '2026-11-01T03:00Z'])
        await countMany(server, id, Date.parse(time), 9);
      const read = async (month: string) => {
        const { practices } = await admin.client.documents.getPracticeTotals(month);
        return practices.map(({ opened }) => opened);
      };
      for (const month of ['2025-09', '2025-10', '2026-10', '2026-11'])
        assert.deepEqual(await read(month), [5], month);
      await deleteOldTotals(server.database, Date.parse('2026-11-30T12:00Z'));
      assert.deepEqual(
        (await stored(server)).map(({ month }) => month),
        ['2025-10', '2026-10', '2026-11'],
      );
    });

    it('are not counted while the clinic has switched them off', async (t) => {
      const { server, ids, admin } = await serverWithPractices(t, kind, 'Respirar');
      const [id] = ids;
      const { site, documents } = admin.client;
      await site.saveSection(withFields(await site.getDraft(), 'identity', realIdentity));
      await site.saveSection(withFields(await site.getDraft(), 'practices', { countsUse: false }));
      await site.publish((await site.getDraft()).tag, { warningsConfirmed: true });
      await use(server, id, { opened: 6 });
      assert.deepEqual(await stored(server), []);
      assert.equal((await documents.getPracticeTotals()).counting, false);
    });

    it('are counted with content that was published before the switch existed', async (t) => {
      const { server, ids, admin } = await serverWithPractices(t, kind, 'Respirar');
      const [id] = ids;
      const { countsUse: _, ...practices } = sampleContent.content.practices;
      const content = { ...sampleContent.content, practices } as SiteContent;
      await server.database
        .insertInto('siteVersions')
        .values({ version: 1, content: JSON.stringify(content), note: '', publishedAt: 1, publishedBy: null })
        .execute();
      await server.database.updateTable('siteState').set({ version: 1 }).execute();
      await use(server, id, { opened: 9 });
      const totals = await admin.client.documents.getPracticeTotals();
      assert.deepEqual([totals.counting, totals.practices.length], [true, 1]);
    });

    it('refuse other fields, other events and malformed months', async (t) => {
      const { server, ids, admin } = await serverWithPractices(t, kind, 'Respirar');
      const [id] = ids;
      for (const body of [
        { id, event: 'opened', uid: 'alguem' },
        { id, event: 'closed' },
        { id, event: 'opened', month: '2026-11' },
        { id: '../../etc', event: 'opened' },
      ]) {
        const response = await post(server, body);
        assert.equal(response.status, 400, JSON.stringify(body));
      }
      assert.deepEqual(await stored(server), []);
      for (const month of ['2026-13', '2026-1', '2026', "' or 1=1"])
        await assert.rejects(
          admin.client.documents.getPracticeTotals(encodeURIComponent(month)),
          refusedWith('request/invalid'),
        );
    });

    it('have a rate limit by IP address, which does not store the practice', async (t) => {
      const { server, ids } = await serverWithPractices(t, kind, 'Respirar');
      const [id] = ids;
      const most = rateLimits.practiceEventsByAddress.attempts;
      await use(server, id, { opened: most }, { ip: '203.0.113.7' });
      assert.equal((await post(server, { id, event: 'opened' }, '203.0.113.7')).status, 429);
      assert.equal((await post(server, { id, event: 'opened' }, '203.0.113.8')).status, 204);
      const attempts = JSON.stringify(await server.database.selectFrom('attempts').selectAll().execute());
      assert.ok(attempts.includes('practiceEventsByAddress'));
      for (const secret of [id, '203.0.113']) assert.ok(!attempts.includes(secret), secret);
    });
  });
}

it('the uses of a day are forgotten at midnight in Brasília', () => {
  const uses = createUsesOfToday();
  const add = (ip: string, time: string) =>
    uses.add(ip, { id: 'a', event: 'opened' }, Date.parse(`2026-11-${time}Z`));
  assert.deepEqual(
    [add('a', '26T03:00'), add('a', '27T02:59'), add('b', '27T02:59'), add('a', '27T03:00')],
    [true, false, true, true],
  );
});

// These tests do not run concurrently with others, because SQLite's statements block this process.
if (isFullLevel)
  describe('totals of practices', () => {
    for (const kind of allDatabaseKinds)
      it(`fold ${folded[kind].toLocaleString('en')} events into one row without growing, on ${kind}`, async (t) => {
        const { server, ids } = await serverWithPractices(t, kind, 'Respirar', 'Caminhar');
        const [first, second] = ids;
        // Sends the events from many IP addresses, to two instances of the server.
        const urls = [server.url, (await server.twin()).url];
        await use(server, first, { opened: 700, played: 700, finished: 700 }, { urls });
        const [{ month } = { month: '' }] = await stored(server);
        const before = await sizeOf(server);
        await fold(server, { id: second, event: 'played' }, month);
        const growth = (await sizeOf(server)) - before;
        const rows = [
          { activityId: first, month, opened: 700, played: 700, finished: 700 },
          { activityId: second, month, opened: 0, played: folded[kind], finished: 0 },
        ];
        assert.deepEqual(
          await stored(server),
          rows.sort((one, other) => (one.activityId < other.activityId ? -1 : 1)),
        );
        assert.ok(growth <= mostGrowthBytes, `the table grew by ${growth} bytes`);
      });
  });

/** Starts a server behind a proxy, with one practice for each title. */
async function serverWithPractices(t: TestContext, kind: DatabaseKind, ...titles: string[]) {
  const server = await startTestServer(t, kind, { environment: { TRUSTED_PROXIES: 'loopback' } });
  const admin = await server.join('admin');
  const ids: string[] = [];
  for (const title of titles)
    ids.push((await admin.client.documents.createActivity(sampleActivity({ title }))).id);
  return { server, admin, ids: ids as [string, string, string, ...string[]] };
}

/** A shown count is a multiple of five, and at most eight below the exact one. */
function assertRounded(shown: number | null, exact: number) {
  const rounded = shown ?? 0;
  assert.ok(rounded % 5 === 0 && rounded <= exact && exact - rounded <= 8, `${shown} for ${exact}`);
}

let senders = 0;

/** Sends an event without a cookie. @param ip the sender's IP address, by default a new one for each event */
async function post(server: Pick<TestServer, 'url' | 'origin'>, body: unknown, ip?: string) {
  senders += 1;
  const sender = ip ?? `10.${(senders >> 16) & 255}.${(senders >> 8) & 255}.${senders & 255}`;
  const response = await fetch(server.url + paths.documents.practiceEvents, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.origin, 'x-forwarded-for': sender },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response;
}

/** Sends `counts` events of each kind, `concurrent` of them at once. */
async function use(
  server: TestServer,
  id: string,
  counts: Partial<Record<PracticeEvent['event'], number>>,
  { ip, urls = [server.url] }: { ip?: string; urls?: string[] } = {},
) {
  const events = practiceEvents.flatMap((event) => Array.from({ length: counts[event] ?? 0 }, () => event));
  for (let start = 0; start < events.length; start += concurrent) {
    const responses = await Promise.all(
      events
        .slice(start, start + concurrent)
        .map((event, index) => post({ ...server, url: urls[index % urls.length] ?? '' }, { id, event }, ip)),
    );
    assert.deepEqual([...new Set(responses.map(({ status }) => status))], [204]);
  }
}

async function countMany({ database }: TestServer, id: string, time: number, times: number) {
  for (let count = 0; count < times; count += 1) await countUse(database, { id, event: 'opened' }, time);
}

async function stored({ database }: TestServer) {
  const rows = await database.selectFrom('practiceTotals').selectAll().execute();
  const keyOf = (row: (typeof rows)[number]) => `${row.month} ${row.activityId}`;
  return rows.map((row) => ({ ...row })).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** Runs the statement of `addUse` `folded[kind]` times; on PostgreSQL, in a loop on the database server. */
async function fold({ kind, database, dataDir }: TestServer, practiceUse: PracticeEvent, month: string) {
  const statement = addUse(database, practiceUse, month).compile();
  const parameters = statement.parameters as (string | number)[];
  if (kind === 'postgres') {
    const values = parameters.map((one) => (typeof one === 'number' ? one : `'${one}'`)).join();
    await sql
      .raw(
        `do $do$ begin for use in 1..${folded.postgres} loop
          execute $use$${statement.sql}$use$ using ${values};
          if use % 50 = 0 then commit; end if;
        end loop; end $do$`,
      )
      .execute(database);
    return;
  }
  const file = new DatabaseSync(path.join(dataDir, 'acolhe.sqlite'));
  const prepared = file.prepare(statement.sql);
  for (let done = 0; done < folded.sqlite; done += 100_000) {
    file.exec('begin immediate');
    for (let count = 0; count < 100_000; count += 1) prepared.run(...parameters);
    file.exec('commit');
  }
  file.close();
}

/** Returns the size in bytes of the table on PostgreSQL, and of all tables on SQLite. */
async function sizeOf({ kind, database }: TestServer): Promise<number> {
  // Without this, the size includes old versions of the row, which PostgreSQL keeps while another transaction
  // is open.
  if (kind === 'postgres') await sql`vacuum full "practiceTotals"`.execute(database);
  const query =
    kind === 'sqlite'
      ? sql<{
          bytes: number;
        }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
      : sql<{ bytes: number }>`select pg_total_relation_size('"practiceTotals"')::int as bytes`;
  return (await query.execute(database)).rows[0]?.bytes ?? 0;
}
