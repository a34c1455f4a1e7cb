import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { fillActivities } from '#bench/fill.ts';
import { startSubject } from '#bench/subject.ts';
import { mainAxes } from '#contract/axes.ts';
import { paths } from '#contract/paths.ts';
import { minutesOffered, practiceOrders, practicesQuery } from '#contract/practices/choice.ts';
import { measureFlood } from './flood.ts';

const practices = 400;
const text = 'Note o ar que entra e o ar que sai. Não é preciso mudar nada. '.repeat(97);

/** Starts a server with long practices of many lengths. */
async function start(t: TestContext) {
  const server = await startSubject((database) => fillActivities(database, practices, text));
  t.after(() => server.stop());
  return server;
}

/** All choices on /practices, also with unknown parameters, and numbers of pages that do not exist. */
const variants = mainAxes
  .flatMap((axis) => [undefined, ...minutesOffered].map((minutes) => ({ axis, minutes })))
  .flatMap((choice) => practiceOrders.map((order) => ({ ...choice, order })))
  .flatMap((choice) => [1, 2, 3, 4, 5, 6, 7, 999_999].map((page) => practicesQuery({ ...choice, page })))
  .map((query, place) => (place % 3 === 0 ? `${query}${query ? '&' : '?'}v=${place}` : query));

const variantPages = variants.map((query) => `practices${query}`);

it('serves the home page while eight clients open all variants of /practices', async (t) => {
  const server = await start(t);
  await measureFlood(t, {
    attack: `8 clients, ${variants.length} variants of /practices`,
    server,
    requests: variantPages.map((page) => `/${page}`),
  });
});

it('serves the home page while eight clients open previews', async (t) => {
  const server = await start(t);
  const response = await fetch(server.url + paths.site.preview, {
    method: 'POST',
    headers: { cookie: server.cookie, origin: server.url },
  });
  assert.equal(response.status, 200);
  const { path } = (await response.json()) as { path: string };
  await measureFlood(t, {
    attack: '8 clients, previews of all pages',
    server,
    requests: ['', 'about', 'privacidade', 'login', 'pro', ...variantPages].map((page) => path + page),
  });
});
