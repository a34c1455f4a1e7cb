/// <reference lib="dom" />
/**
 * Measures the admin's page of a list with 10,000 activities (the maximum) of 1.5 kB each. Reports the times
 * of each call, of the first card and of a key press in the search. Run `node bench/activity-list.ts` after
 * `npm run build`. With DATABASE_URL it uses PostgreSQL. Exits with 1 when a goal is missed.
 */
import { chromium, type Page } from 'playwright';
import { findChromium } from '#build/chromium.ts';
import { createClient } from '#client/client.ts';
import type { Activity } from '#contract/activity.ts';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import { fillActivities } from './fill-activities.ts';
import { percentile } from './measure.ts';
import { createCaller, startSubject } from './subject.ts';

/** Goals in milliseconds: for one call to the server, for the first card, and for a key press. */
const goals = { call: 50, firstView: 1_500, key: 100 };
const calls = 40;

const databaseUrl = process.env.DATABASE_URL;
const subject = await startSubject((database) => fillActivities(database, limits.listMaxItems), {
  ...(databaseUrl && { databaseUrl }),
});
const { documents } = createClient({
  ...{ auth: subject.url, documents: subject.url },
  fetch: (url, init) =>
    fetch(url, {
      ...init,
      headers: {
        ...Object.fromEntries(new Headers(init?.headers)),
        cookie: subject.cookie,
        origin: subject.url,
      },
    }),
});
const caller = () => createCaller(subject.url, { cookie: subject.cookie, 'accept-encoding': 'br' });
type Caller = ReturnType<typeof caller>;
const listUrl = subject.url + paths.documents.activities('mindActsList');
let missed = false;

try {
  const { activities } = await documents.getActivities('mindActsList');
  const [first, second, third] = activities as [Activity, Activity, Activity];
  const readAs =
    (encoding: string, known = '') =>
    () =>
      read(encoding, known);

  const summaries = paths.documents.activitySummaries('mindActsList');
  const items = paths.documents.activityItems('mindActsList');
  await reportParts('titles', summaries);
  await reportParts('titles after a change', summaries, change);
  await reportParts('texts', items);
  await reportParts('texts after a change', items, change);
  const { tag } = await read('identity');
  await report('list, unchanged (304)', goals.call, readAs('br', tag));
  await report('one activity', goals.call, () => documents.findActivity(first));
  let edited = second;
  async function change() {
    await documents.deleteActivity(third);
    await documents.restoreActivity(third);
  }
  await report('save an edit', goals.call, async () => {
    const { id: _, createdAt: __, updatedAt: ___, ...input } = edited;
    edited = await documents.updateActivity(edited, input);
  });
  await report(
    'delete',
    goals.call,
    () => documents.deleteActivity(third),
    () => documents.restoreActivity(third),
  );
  await report(
    'undo the deletion',
    goals.call,
    () => documents.restoreActivity(third),
    undefined,
    () => documents.deleteActivity(third),
  );
  // These calls have no goal. They transfer all 15 MB, which only the public page and a change of order need.
  await report('whole list, Brotli', undefined, readAs('br'));
  await report('whole list, plain', undefined, readAs('identity'));
  await report('whole list after a change', undefined, readAs('br'), undefined, change);
  const current = await documents.getActivities('mindActsList');
  await report('new order of the whole list', undefined, async () => {
    const next = current.activities.toReversed();
    Object.assign(current, await documents.replaceActivities('mindActsList', next, current.tag));
  });

  await inBrowser();
} finally {
  await subject.stop();
}
if (missed) process.exitCode = 1;

/** Reads the whole list. `fetch` decompresses the response, so the time includes the decompression. */
async function read(encoding: string, known = '') {
  const response = await fetch(listUrl, {
    headers: { 'accept-encoding': encoding, ...(known && { 'if-none-match': known }) },
  });
  await response.arrayBuffer();
  return { tag: response.headers.get('etag') ?? '' };
}

/**
 * Reads the list as its page does: the first part, then the others on two connections. Runs `before` ahead of
 * each reading. The time of a call includes the last byte of its response, but not the decompression. The
 * goal applies to the p95 of the single calls.
 */
async function reportParts(what: string, url: string, before: () => Promise<unknown> = async () => {}) {
  const callers = [caller(), caller()];
  const [first] = callers;
  const each: number[] = [];
  const together: number[] = [];
  const plain = await first?.call('GET', url, { headers: { 'accept-encoding': 'identity' } });
  const { parts } = JSON.parse(plain?.text ?? '') as { parts: number };
  for (let index = -2; index < calls; index += 1) {
    await before();
    const times: number[] = [];
    let next = 0;
    const readPart = async (by: Caller | undefined) => {
      next += 1;
      const response = await by?.call('GET', `${url}?part=${next - 1}`);
      times.push(response?.ms ?? Number.NaN);
    };
    const started = performance.now();
    await readPart(first);
    await Promise.all(
      callers.map(async (by) => {
        while (next < parts) await readPart(by);
      }),
    );
    if (index < 0) continue;
    each.push(...times);
    together.push(performance.now() - started);
  }
  for (const one of callers) one.close();
  say(`${what}, each of ${parts}`, each, goals.call);
  say(`${what}, together`, together, undefined);
}

/** Times `call`, without `before` and `after`. */
async function report(
  what: string,
  goal: number | undefined,
  call: () => Promise<unknown>,
  after: () => Promise<unknown> = async () => {},
  before: () => Promise<unknown> = async () => {},
) {
  const count = goal === undefined ? Math.round(calls / 4) : calls;
  const times: number[] = [];
  for (let index = -2; index < count; index += 1) {
    await before();
    const started = performance.now();
    await call();
    const time = performance.now() - started;
    if (index >= 0) times.push(time);
    await after();
  }
  say(what, times, goal);
}

function say(what: string, times: number[], goal: number | undefined) {
  const [median, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
  const reached = goal === undefined || p95 <= goal;
  missed ||= !reached;
  const verdict = goal === undefined ? '' : `goal ${goal} ms${reached ? '' : ': MISSED'}`;
  console.log(`${what.padEnd(34)}median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms  ${verdict}`);
}

async function inBrowser() {
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const views: number[] = [];
    const keys: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'pt-BR' });
      const cookies = subject.cookie.split('; ').map((line) => line.split('=') as [string, string]);
      await context.addCookies(
        cookies.map(([name, ...value]) => ({ name, value: value.join('='), url: subject.url })),
      );
      const page = await context.newPage();
      views.push(await timeToFirstCard(page));
      for (const letter of 'numero 77') keys.push(await timeOfKey(page, letter));
      await context.close();
    }
    say('browser: first card in view', views, goals.firstView);
    say('browser: a key of the search', keys, goals.key);
  } finally {
    await browser.close();
  }
}

async function timeToFirstCard(page: Page): Promise<number> {
  const started = performance.now();
  await page.goto(`${subject.url}/admin/mind`);
  await page.getByRole('article').first().waitFor();
  return performance.now() - started;
}

/** Milliseconds from a key press to the next painted frame. */
async function timeOfKey(page: Page, letter: string): Promise<number> {
  await page.getByRole('searchbox').focus();
  await page.evaluate(() => {
    addEventListener(
      'keydown',
      () => {
        const started = performance.now();
        Object.assign(window, {
          painted: new Promise((resolve) =>
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started))),
          ),
        });
      },
      { once: true, capture: true },
    );
  });
  await page.keyboard.press(letter === ' ' ? 'Space' : letter);
  return page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted);
}
