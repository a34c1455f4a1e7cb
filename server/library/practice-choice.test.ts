import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { texts } from '#clinic/texts.ts';
import { paths } from '#contract/paths.ts';
import { practicesPath } from '#contract/practices/choice.ts';
import { rateLimits } from '../auth/rate-limits.ts';
import { databaseKinds } from '../testing/databases.ts';
import { sampleActivity } from '../testing/samples.ts';
import { publishedSite, startTestServer, type TestServer } from '../testing/server.ts';

/** Starts a site with practices in three lists. The sample content has the needs `sono` and `dor`. */
async function start(t: TestContext, kind: TestServer['kind']) {
  const server = await startTestServer(t, kind, {
    services: ['auth', 'documents', 'site'],
    environment: publishedSite,
  });
  const { documents, site } = (await server.join('admin')).client;
  const add = (title: string, changes: Parameters<typeof sampleActivity>[0] = {}) =>
    documents.createActivity(sampleActivity({ title, content: 'Note o ar.', ...changes }));
  await add('Riacho', { content: 'Para a noite em que o sono não vem.', minutes: 5 });
  await add('Sono leve', { axis: 'move', needs: 'dor sono', minutes: 20 });
  const rain = await add('Chuva', { axis: 'fun', needs: 'sono' });
  await add('Segredo do sono', { visibility: 'hidden', needs: 'sono' });
  const visitor = server.visitor.client.documents;
  const find = async (choice: Parameters<typeof visitor.getPractices>[0]) =>
    (await visitor.getPractices(choice)).practices.map(({ title }) => title);
  const open = async (path: string) => {
    const response = await fetch(server.url + path, { redirect: 'manual' });
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
  return { server, documents, site, find, open, rain };
}

for (const kind of databaseKinds)
  describe(`the choice of practices on ${kind}`, { concurrency: true }, () => {
    it('begins with all, and follows the axis, the need, the length and the search together', async (t) => {
      const { documents, find, rain } = await start(t, kind);
      assert.deepEqual(await find({}), ['Riacho', 'Sono leve', 'Chuva']);
      assert.deepEqual(await find({ need: 'sono' }), ['Sono leve', 'Chuva']);
      assert.deepEqual(await find({ need: 'sono', axis: 'values' }), ['Chuva']);
      // The title and the name of the need are better matches than the text.
      assert.deepEqual(await find({ search: 'SÔNO' }), ['Sono leve', 'Chuva', 'Riacho']);
      assert.deepEqual(await find({ search: 'sono', order: 'shortest' }), ['Riacho', 'Sono leve', 'Chuva']);
      assert.deepEqual(await find({ search: 'sono', minutes: 10 }), ['Riacho']);
      assert.deepEqual(await find({ search: 'sono noite', need: 'sono' }), []);
      assert.deepEqual(await find({ search: 'segredo' }), []);
      await documents.updateActivity(rain, sampleActivity({ title: 'Garoa', axis: 'fun' }));
      assert.deepEqual(await find({ search: 'garoa' }), ['Garoa']);
      assert.deepEqual(await find({ need: 'sono' }), ['Sono leve']);
    });

    it('ignores a need that the clinic does not have, and an activity keeps it', async (t) => {
      const { documents, find } = await start(t, kind);
      const kept = await documents.createActivity(sampleActivity({ title: 'Antiga', needs: 'antes sono' }));
      assert.equal(kept.needs, 'antes sono');
      assert.equal((await find({ need: 'antes' })).length, 4);
      assert.deepEqual(await find({ need: 'sono' }), ['Antiga', 'Sono leve', 'Chuva']);
    });

    it('is a page without JavaScript: links, a form, and a canonical URL for search engines', async (t) => {
      const { open } = await start(t, kind);
      const canonicalOf = (html: string) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1];
      for (const [path, canonical] of [
        ['/practices', '/practices'],
        ['/practices?necessidade=sono', '/practices?necessidade=sono'],
        ['/practices?necessidade=sono&eixo=move', '/practices?necessidade=sono'],
        ['/practices?eixo=move&tempo=20', '/practices?eixo=move'],
        ['/practices?necessidade=nada', '/practices'],
      ] as const) {
        const { html, headers } = await open(path);
        assert.equal(canonicalOf(html), publishedSite.PUBLIC_URL + canonical, path);
        assert.ok(headers.has('cdn-cache-control'), path);
      }
      const { html } = await open('/practices?necessidade=sono');
      assert.match(html, /<title>Práticas: Sono \| /);
      assert.match(html, /<form[^>]* action="\/practices"/);
      assert.match(html, /<input type="hidden" name="necessidade" value="sono"\/>/);
      assert.match(html, /href="\/practices\?necessidade=dor"/);
      assert.doesNotMatch(html, />Riacho</);
    });

    it('renders a search that no cache keeps, and no search engine indexes', async (t) => {
      const { open } = await start(t, kind);
      const path = practicesPath({ search: '<b>sono' });
      const { status, headers, html } = await open(path);
      assert.equal(status, 200);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('cdn-cache-control'), null);
      assert.match(html, /<meta name="robots" content="noindex"\/>/);
      assert.doesNotMatch(html, /<b>sono/);
      const shown = (await open(practicesPath({ search: 'sono leve' }))).html;
      assert.match(shown, />Sono leve</);
      assert.doesNotMatch(shown, />Chuva</);
      const none = (await open(practicesPath({ search: 'baleia' }))).html;
      assert.match(none, /Nada por aqui com “baleia”/);
      assert.match(none, /<a [^>]*href="\/practices"[^>]*>Ver todas as práticas</);
    });

    it('limits the searches from one IP address, by API, page and preview together, and nothing else', async (t) => {
      const { server, site, open } = await start(t, kind);
      const preview = await site.createPreview();
      const search = `${paths.documents.practices}?q=sono`;
      const first = await server.visitor.fetch(search);
      assert.equal(first.headers.get('cache-control'), 'no-store');
      await server.database
        .updateTable('attempts')
        .set({ count: rateLimits.practiceSearchesByAddress.attempts - 1 })
        .where('key', 'like', 'practiceSearchesByAddress%')
        .execute();
      assert.equal((await open('/practices?q=sono')).status, 200);
      assert.equal((await open('/practices?q=sono')).status, 429);
      assert.equal((await open(`${preview.path}practices?q=sono`)).status, 429);
      assert.equal((await server.visitor.fetch(search)).status, 429);
      assert.equal((await open('/practices?q=+&necessidade=sono')).status, 200);
      assert.equal((await server.visitor.fetch(paths.documents.practices)).status, 200);
    });
  });

// This test changes the clock of the process, so it runs alone.
describe('the page of practices', () => {
  it('puts the night path first from 22:00 to 5:00 at the clinic, and in the menu while there is one', async (t) => {
    const { documents, open } = await start(t, 'sqlite');
    const menuEntry = 'href="/practices#noite"';
    for (const path of ['/', '/practices', '/account'])
      assert.ok(!(await open(path)).html.includes(menuEntry), path);
    await documents.createActivity(sampleActivity({ title: 'Pouso', night: 'sleep' }));
    for (const path of ['/', '/about', '/practices', '/practices/nada'])
      assert.ok((await open(path)).html.includes(menuEntry), path);
    const { timeZone } = texts.identity.schedule;
    assert.equal(timeZone, 'America/Sao_Paulo');
    const comesFirst = async (time: string) => {
      t.mock.timers.enable({ apis: ['Date'], now: new Date(time) });
      const { html } = await open('/practices');
      t.mock.timers.reset();
      return html.indexOf('id="noite"') < html.indexOf('aria-label="Filtros"');
    };
    assert.equal(await comesFirst('2027-01-10T00:59:59Z'), false);
    assert.equal(await comesFirst('2027-01-10T01:00:00Z'), true);
    assert.equal(await comesFirst('2027-01-10T07:59:59Z'), true);
    assert.equal(await comesFirst('2027-01-10T08:00:00Z'), false);
  });
});
