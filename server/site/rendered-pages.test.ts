import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { createVersionReader } from '../database/versions.ts';
import { AppError } from '../http/errors.ts';
import { createPublicPractices, readPracticePage } from '../library/public-practices.ts';
import { readPublicIssue } from '../newsletter/issues.ts';
import { sampleActivity } from '../testing/samples.ts';
import { startTestServer } from '../testing/server.ts';
import { distDir, openBuiltSite } from './built-site.ts';
import { sampleContent } from './content.ts';
import { pageFor } from './pages.ts';
import { createRenderedPages, type Edition } from './rendered-pages.ts';

/** Creates the pages of a library with `count` practices, and counts how often they are rendered. */
async function startPages(t: TestContext, count: number) {
  const { database, join } = await startTestServer(t, 'sqlite');
  const { documents } = (await join('admin')).client;
  for (let number = 0; number < count; number += 1)
    await documents.createActivity(sampleActivity({ title: `Prática ${number}` }));
  const { activities } = await documents.getActivities('mindActsList');
  const readVersions = createVersionReader(database);
  const { loadRenderer } = await openBuiltSite(distDir);
  const seen = { rendered: 0, running: 0, mostAtOnce: 0 };
  const pages = createRenderedPages(
    async () => {
      const renderer = await loadRenderer();
      return {
        ...renderer,
        async renderPage(...input) {
          seen.rendered += 1;
          seen.running += 1;
          seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.running);
          const page = await renderer.renderPage(...input);
          seen.running -= 1;
          return page;
        },
      };
    },
    {
      ...createPublicPractices(database, readVersions),
      readVersions,
      readPractice: (id) => readPracticePage(database, id),
      readIssue: (timeZone, id) => readPublicIssue(database, timeZone, id),
    },
    async () => {},
  );
  const editionOf = (tag: string, preview?: Edition['preview']): Edition => ({
    tag,
    readFacts: async () => ({
      ...sampleContent,
      site: { origin: 'https://x.com.br', google: false, ...(preview && { basename: preview.basename }) },
    }),
    ...(preview && { preview }),
  });
  const open = (path: string, edition = editionOf('1')) =>
    pages.find(pageFor(path.replace(/\?.*/, '')), { url: path } as FastifyRequest, Promise.resolve(edition));
  return { documents, activities, seen, open, editionOf };
}

const isRefused = (result: PromiseSettledResult<unknown>) =>
  result.status === 'rejected' &&
  result.reason instanceof AppError &&
  result.reason.code === 'server/unavailable' &&
  result.reason.retryAfterSeconds !== undefined;

describe('rendered pages', { concurrency: true }, () => {
  it('are few, whatever the query', async (t) => {
    const { seen, open } = await startPages(t, 1);
    for (const query of [
      '?',
      '?a=1',
      '?eixo=x',
      '?tempo=5',
      '?ordem=',
      '?pagina=1',
      '?necessidade=x',
      '?q=+',
      '?utm_source=a&eixo=',
    ])
      for (const more of ['', '&x'.repeat(1_000)]) await open(`/practices${query}${more}`);
    assert.equal(seen.rendered, 1);
    for (const id of ['a', 'b', 'c']) await open(`/practices/${id}`);
    assert.equal(seen.rendered, 2);
    // Searches are rendered each time, so they take no place in the cache.
    for (const word of ['a', 'b', 'a']) await open(`/practices?q=${word}`);
    assert.equal(seen.rendered, 5);
    await open('/practices');
    assert.equal(seen.rendered, 5);
  });

  it('are rendered two at once, and a flood is refused, but not the pages that do not grow with the library', async (t) => {
    const { activities, seen, open } = await startPages(t, 60);
    const opened = activities.map(({ id }) => open(`/practices/${id}`));
    const fixed = ['/', '/about', '/privacidade'].map((path) => open(path));
    const results = await Promise.allSettled([...opened, ...fixed]);
    // The three pages take places in the queue, too, if they arrive before it is full.
    const refused = results.filter(isRefused).length;
    assert.ok(refused >= 60 - 2 - 32 && refused <= 60 - 2 - 32 + 3, `${refused}`);
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 63 - refused);
    assert.ok(results.slice(60).every(({ status }) => status === 'fulfilled'));
    assert.equal(seen.mostAtOnce, 2);
    await Promise.all(activities.slice(0, 30).map(({ id }) => open(`/practices/${id}`)));
  });

  it('are rendered once for a preview, until the draft or the library changes', async (t) => {
    const { documents, activities, seen, open, editionOf } = await startPages(t, 1);
    const preview = { basename: '/previa/um', until: Date.now() + 60_000 };
    const path = `/practices/${activities[0]?.id}`;
    const openAll = async (tag: string) => {
      for (const one of ['/', '/practices', '/practices?x', path, '/'])
        await open(one, editionOf(tag, preview));
      return seen.rendered;
    };
    assert.equal(await openAll('"1-1"'), 3);
    assert.equal(await openAll('"1-1"'), 3);
    assert.equal(await openAll('"1-2"'), 6);
    await documents.createActivity(sampleActivity({ axis: 'move' }));
    assert.equal(await openAll('"1-2"'), 8);
  });

  it('are never shared between previews, or between a preview and the site', async (t) => {
    const { open, editionOf } = await startPages(t, 1);
    const until = Date.now() + 60_000;
    const htmlOf = async (edition: Edition) => {
      const found = await open('/practices', edition);
      assert.ok('document' in found);
      return (await found.document.identity()).toString();
    };
    const one = await htmlOf(editionOf('1', { basename: '/previa/um', until }));
    const two = await htmlOf(editionOf('1', { basename: '/previa/dois', until }));
    const site = await htmlOf(editionOf('1'));
    assert.ok(one.includes('/previa/um/') && !one.includes('/previa/dois'));
    assert.ok(two.includes('/previa/dois/') && !two.includes('/previa/um'));
    assert.ok(!site.includes('/previa/'));
  });
});
