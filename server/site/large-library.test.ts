import assert from 'node:assert/strict';
import { get } from 'node:http';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { paths } from '#contract/paths.ts';
import { databaseKinds, isFullLevel } from '../testing/databases.ts';
import { publishedSite, startTestServer, type TestServer } from '../testing/server.ts';

const services = ['auth', 'documents', 'site'] as const;
const mostPageBytes = 500_000;
const mostMegabytes = 100;
const practice = 'Note o ar que entra e o ar que sai, sem pressa. “Devagar”, disse ela — e ficou. ';

/** Adds `count` practices to the mind list, all with the same text, in one statement. */
async function fill({ database, kind }: TestServer, count: number, content: string) {
  const numbers =
    kind === 'sqlite'
      ? sql`(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)}) select i from n) as n`
      : sql`generate_series(1, ${sql.lit(count)}) as n(i)`;
  await sql`
    insert into activities (id, list, position, axis, title, url, image, audio, content, "createdAt", "updatedAt",
      minutes, night, visibility)
    select 'longa-' || i, 'mindActsList', i, 'mind', 'Prática ' || i,
      case when i % 2 = 0 then 'https://youtu.be/aBcDeFgHiJ0' else 'https://www.gov.br/saude/pt-br' end,
      '', '', ${content}, 1700000000000 + i, 1700000000000 + i,
      case when i % 3 = 0 then 2 else null end, case when i % 4 = 0 then 'sleep' else '' end, 'public'
    from ${numbers}`.execute(database);
  await raiseVersion({ database });
}

const raiseVersion = ({ database }: Pick<TestServer, 'database'>) =>
  database
    .updateTable('activityLists')
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('name', '=', 'mindActsList')
    .execute();

/** Reads a response to its end without keeping it. @returns its number of bytes */
async function countBytes(url: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  get(url, (response) => {
    let bytes = 0;
    response.on('data', (part: Buffer) => {
      bytes += part.length;
    });
    response.on('error', reject);
    response.on('end', () => resolve(bytes));
  }).on('error', reject);
  return promise;
}

/** The memory of this process in megabytes. The server and the test share it. */
const megabytes = () => process.memoryUsage().rss / 1e6;

if (isFullLevel)
  describe('a library of 10,000 practices of 49,000 characters', () => {
    it('has no page above 500 kB, and no public response that needs 100 MB of memory', async (t) => {
      const server = await startTestServer(t, 'sqlite', {
        services: [...services],
        environment: publishedSite,
      });
      await fill(server, 10_000, practice.repeat(Math.ceil(49_000 / practice.length)));
      await countBytes(`${server.url}/`);
      const before = megabytes();
      for (const path of [
        ...['/', '/practices', '/practices?pagina=167', '/practices?tempo=3&ordem=novas&pagina=2'],
        ...['/practices?ordem=curtas', '/practices?eixo=values', '/practices/longa-1', '/practices/nada'],
        ...['/sitemap.xml', '/sitemap.xml?parte=1', '/sitemap.xml?parte=10', paths.documents.nightPractices],
        ...[paths.documents.practices, `${paths.documents.practices}?ordem=curtas&pagina=50`],
        ...[paths.documents.practicePage('longa-5000'), '/nada', '/practices?q=devagar'],
        `${paths.documents.practices}?q=pratica+9999`,
      ]) {
        const bytes = await countBytes(server.url + path);
        assert.ok(bytes < mostPageBytes, `${path}: ${bytes} bytes`);
      }
      assert.ok(megabytes() - before < mostMegabytes, `+${megabytes() - before} MB`);
      const list = server.url + paths.documents.activities('mindActsList');
      const whole = await countBytes(list);
      assert.ok(whole > 490_000_000, `${whole} bytes`);
      // Includes the garbage of the client. A server process alone needs 70 MB (npm run test:hard).
      const grown = megabytes() - before;
      assert.ok(grown < whole / 2e6, `+${grown} MB`);

      const open = await Promise.all(Array.from({ length: 4 }, () => fetch(list)));
      const refused = await fetch(list);
      assert.equal(refused.status, 503);
      assert.ok(refused.headers.get('retry-after'));
      // A document of two versions would be wrong, so it breaks off.
      await raiseVersion(server);
      for (const response of open) await assert.rejects(response.arrayBuffer());
      assert.equal((await fetch(list)).status, 200);
    });
  });

const titlesIn = (html: string) => [...html.matchAll(/<h2[^>]*><a[^>]*>([^<]+)</g)].map(([, title]) => title);
const linkIn = (html: string, rel: string) =>
  new RegExp(`<(?:a|link)(?=[^>]* rel="${rel}")[^>]* href="([^"]*)"`).exec(html)?.[1];

for (const kind of databaseKinds)
  describe(`/practices with many practices on ${kind}`, { concurrency: true }, () => {
    async function start(t: Parameters<typeof startTestServer>[0], count = 130) {
      const options = { services: [...services], environment: publishedSite };
      const server = await startTestServer(t, kind, options);
      await fill(server, count, `${practice.repeat(4)}FIM DO TEXTO`);
      const open = async (path: string) => {
        const response = await fetch(server.url + path, { redirect: 'manual' });
        return { ...response, response, html: await response.text() };
      };
      return { server, open };
    }

    it('shows 60 on a page, with links to the page before and after, and the canonical URL of each', async (t) => {
      const { server, open } = await start(t);
      const numbers = (from: number, to: number) =>
        Array.from({ length: to - from + 1 }, (_, index) => `Prática ${from + index}`);
      for (const [path, titles, before, next] of [
        ['/practices', numbers(1, 60), undefined, '/practices?pagina=2#lista'],
        ['/practices?pagina=2', numbers(61, 120), '/practices#lista', '/practices?pagina=3#lista'],
        ['/practices?pagina=3', numbers(121, 130), '/practices?pagina=2#lista', undefined],
      ] as const) {
        const { html } = await open(path);
        assert.deepEqual(titlesIn(html), titles);
        assert.equal(linkIn(html, 'prev'), before);
        assert.equal(linkIn(html, 'next'), next);
        assert.equal(linkIn(html, 'canonical'), server.origin + path);
      }
      const { html } = await open('/practices?tempo=3&ordem=novas');
      assert.deepEqual(titlesIn(html)[0], 'Prática 129');
      assert.equal(titlesIn(html).length, 43);
      assert.equal(linkIn(html, 'canonical'), `${server.origin}/practices`);
    });

    it('sends a page number after the last one to the last page, and treats an invalid one as 1', async (t) => {
      const { open } = await start(t);
      for (const [path, target] of [
        ['/practices?pagina=999999', '/practices?pagina=3'],
        [`/practices?pagina=${'9'.repeat(3_000)}&ordem=curtas`, '/practices?ordem=curtas&pagina=3'],
        ['/practices?eixo=move&pagina=2', '/practices?eixo=move'],
      ]) {
        const { response } = await open(path as string);
        assert.equal(response.status, 302);
        assert.equal(response.headers.get('location'), target);
      }
      const { response } = await open('/practices');
      for (const query of [
        'pagina=0',
        'pagina=-1',
        'pagina=1e1',
        'pagina=02',
        'pagina=x',
        'pagina=1&pagina=2',
        'a=b',
      ])
        assert.equal(
          (await open(`/practices?${query}`)).response.headers.get('etag'),
          response.headers.get('etag'),
          query,
        );
    });

    it('carries at most 160 characters of a text, in the page and in the data for a next one', async (t) => {
      const { server, open } = await start(t);
      const { html } = await open('/practices');
      const { practices, ...numbers } = await server.visitor.client.documents.getPractices({ page: 2 });
      assert.deepEqual(numbers, { page: 2, pages: 3, chosen: 130, total: 130, untimed: 87 });
      assert.equal(practices.length, 60);
      for (const { excerpt } of practices) assert.match(excerpt, /^Note o ar .{50,149}…$/s);
      const api = await open(paths.documents.practices);
      for (const body of [html, JSON.stringify(practices), api.html]) {
        assert.ok(body.includes('Note o ar que entra'));
        assert.ok(!body.includes('FIM DO TEXTO'));
        assert.ok(!body.includes(practice.repeat(2)));
      }
      assert.ok((await open('/practices/longa-2')).html.includes('FIM DO TEXTO'));
    });

    it('offers six practices for a need at night, and splits the sitemap', async (t) => {
      const { server, open } = await start(t, 2_100);
      const night = await server.visitor.client.documents.getNightPractices();
      assert.deepEqual(
        night.map(({ id }) => id),
        [4, 8, 12, 16, 20, 24].map((number) => `longa-${number}`),
      );
      const index = (await open('/sitemap.xml')).html;
      const parts = [...index.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => new URL(url));
      assert.deepEqual(
        parts.map(({ origin, pathname, search }) => [origin, pathname + search]),
        [1, 2, 3].map((part) => [server.origin, `/sitemap.xml?parte=${part}`]),
      );
      const texts = await Promise.all(
        parts.map(async (part) => (await open(part.pathname + part.search)).html),
      );
      const urls = texts.flatMap((text) => [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url));
      assert.equal(new Set(urls).size, 2_104);
      for (const query of ['parte=4', 'parte=0', 'parte=1.0', 'parte=x'])
        assert.equal((await open(`/sitemap.xml?${query}`)).html, index);
    });
  });
