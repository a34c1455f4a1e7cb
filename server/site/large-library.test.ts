import assert from 'node:assert/strict';
import { get } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { listNames } from '#contract/axes.ts';
import { paths } from '#contract/paths.ts';
import type { Database } from '../database/connect.ts';
import { databaseKinds } from '../testing/databases.ts';
import { publishedSite, startTestServer, type TestServer } from '../testing/server.ts';

const mostBytes = 500_000;
const mostMegabytes = 100;
const perPage = 60;
const sentence = 'Note o ar que entra e o ar que sai, sem pressa. “Devagar”, disse ela — e ficou. ';

/** Adds `count` practices to the mind list, all with the same text, in one statement. */
async function fill({ database, kind }: TestServer, count: number, content: string) {
  const rows =
    kind === 'sqlite'
      ? sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)}) select i from n) as n`
      : sql`generate_series(1, ${sql.lit(count)}) as n(i)`;
  await sql`
    insert into activities (id, list, position, axis, title, url, image, audio, content, "createdAt", "updatedAt",
      minutes, night, visibility)
    select 'longa-' || i, 'mindActsList', i, 'mind', 'Prática longa número ' || i,
      case when i % 2 = 0 then 'https://youtu.be/aBcDeFgHiJ0' else 'https://www.gov.br/saude/pt-br' end,
      '', '', ${content}, 1700000000000 + i, 1700000000000 + i,
      case when i % 3 = 0 then 2 else null end, case when i % 4 = 0 then 'sleep' else '' end, 'public'
    from ${rows}`.execute(database);
  await bump(database, count);
}

const bump = (database: Database, lastPosition: number) =>
  database
    .updateTable('activityLists')
    .set((row) => ({ version: row('version', '+', 1), lastPosition }))
    .where('name', '=', 'mindActsList')
    .execute();

/** Reads a response to its end without keeping it. @returns its status, headers and number of bytes */
async function measure(url: string, keep = false) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    location: string | undefined;
    bytes: number;
    text: string;
  }>();
  get(url, (response) => {
    let bytes = 0;
    const parts: Buffer[] = [];
    response.on('data', (part: Buffer) => {
      bytes += part.length;
      if (keep) parts.push(part);
    });
    response.on('error', reject);
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        location: response.headers.location,
        bytes,
        text: Buffer.concat(parts).toString(),
      }),
    );
  }).on('error', reject);
  return promise;
}

const read = (url: string) => measure(url, true);

async function start(t: TestContext, kind: (typeof databaseKinds)[number], count: number, content: string) {
  const services = ['auth', 'documents', 'site'] as const;
  const server = await startTestServer(t, kind, { services: [...services], environment: publishedSite });
  await fill(server, count, content);
  return server;
}

/** The memory of this process in megabytes, which the server shares with the test. */
const megabytes = () => process.memoryUsage().rss / 1e6;

for (const kind of databaseKinds)
  describe(`a library of 10,000 practices of 49,000 characters on ${kind}`, () => {
    it('has no page above 500 kB, and no public response that needs 100 MB of memory', async (t) => {
      const server = await start(t, kind, 10_000, sentence.repeat(Math.ceil(49_000 / sentence.length)));
      const { url } = server;
      console.log('filled', performance.now());
      await measure(`${url}/`);
      const before = megabytes();
      for (const path of [
        ...['/', '/practices', '/practices?pagina=167', '/practices?tempo=3&ordem=novas&pagina=2'],
        ...[
          '/practices?ordem=curtas',
          '/practices?eixo=values',
          '/practices/longa-1',
          '/practices/longa-10000',
        ],
        ...['/sitemap.xml', '/sitemap.xml?parte=1', paths.documents.nightPractices],
        ...['/api/documents/practices', '/api/documents/practices?ordem=curtas&pagina=50'],
        ...[paths.documents.practicePage('longa-5000'), '/nada'],
      ]) {
        const { bytes } = await measure(url + path);
        assert.ok(bytes < mostBytes, `${path}: ${bytes} bytes`);
        const grown = megabytes() - before;
        console.log(path, bytes, grown.toFixed(0), performance.now().toFixed(0));
        assert.ok(grown < mostMegabytes, `${path}: +${grown} MB`);
      }
      const whole = await measure(url + paths.documents.activities(listNames[0]));
      assert.ok(whole.bytes > 490_000_000, `${whole.bytes} bytes`);
      const grown = megabytes() - before;
      assert.ok(grown < mostMegabytes, `the whole list: +${grown} MB`);
    });
  });
void read;
void perPage;
