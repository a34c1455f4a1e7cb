/// <reference lib="dom" />
import { chromium, type Page } from 'playwright';
import { findChromium } from '#build/chromium.ts';
import { createClient } from '#client/client.ts';
import { createCookieFetch } from '#client/cookie-fetch.ts';
import type { Activity } from '#contract/activity.ts';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import { fillActivities } from '../fill.ts';
import { figureOf, p95, type Result, type Row, timed } from '../measure.ts';
import { cookiesOf, createCaller, type Subject, startSubject } from '../subject.ts';

const list = 'mindActsList';

/** Measures the admin's page of a list with 10,000 activities (the maximum) of 1.5 kB. */
export const largeList: Row = {
  name: 'large-list',
  about: 'p95 of the calls of an admin with 10,000 activities; first card and key press in a browser',
  async run({ rounds }) {
    const subject = await startSubject((database) => fillActivities(database, limits.listMaxItems));
    try {
      return [...(await measureCalls(subject)), ...(await measureBrowser(subject, rounds))];
    } finally {
      await subject.stop();
    }
  },
};

async function measureCalls(subject: Subject): Promise<Result[]> {
  const { url } = subject;
  const { documents } = createClient({
    auth: url,
    documents: url,
    fetch: createCookieFetch(url, new Map(cookiesOf(subject))),
  });
  const { activities } = await documents.getActivities(list);
  const [first, second, third] = activities as [Activity, Activity, Activity];
  let edited = second;
  const change = async () => {
    await documents.deleteActivity(third);
    await documents.restoreActivity(third);
  };
  const caller = createCaller(url, { cookie: subject.cookie, 'accept-encoding': 'br' });
  const part = (of: string) => async () => (await caller.call('GET', `${of}?names=1&part=0`)).ms;
  const results = [
    await p95('titles, the first part', part(paths.documents.activitySummaries(list)), 50),
    await p95('the same after a change', part(paths.documents.activitySummaries(list)), 50, change),
    await p95('texts, the first part', part(paths.documents.activityItems(list)), 50),
    await p95('the same after a change', part(paths.documents.activityItems(list)), 50, change),
    await p95(
      'one activity',
      timed(() => documents.findActivity(first)),
      50,
    ),
    await p95(
      'save an edit',
      timed(async () => {
        const { id: _, createdAt: __, updatedAt: ___, ...input } = edited;
        edited = await documents.updateActivity(edited, input);
      }),
      50,
    ),
    await p95('delete and undo', timed(change), 100),
  ];
  const current = await documents.getActivities(list);
  let from = current.activities.map(({ id }) => id);
  const reorder = timed(async () => {
    const to = from.toReversed();
    await documents.reorderActivities(list, { from, to });
    from = to;
  });
  results.push(await p95('a new order of all', reorder, 150));
  caller.close();
  return results;
}

async function measureBrowser(subject: Subject, rounds: number): Promise<Result[]> {
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const views: number[] = [];
  const keys: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'pt-BR' });
      await context.addCookies(
        cookiesOf(subject).map(([name, value]) => ({ name, value, url: subject.url })),
      );
      const page = await context.newPage();
      const started = performance.now();
      await page.goto(`${subject.url}/admin/mind`);
      await page.getByRole('article').first().waitFor();
      views.push(performance.now() - started);
      for (const letter of 'numero 77') keys.push(await timeOfKey(page, letter));
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return [
    { what: 'first card in view', unit: 'ms', ours: figureOf(views), goal: { atMost: 1_500 } },
    { what: 'a key of the search', unit: 'ms', ours: figureOf(keys), goal: { atMost: 100 } },
  ];
}

/** Milliseconds from a key press to the next painted frame. */
async function timeOfKey(page: Page, letter: string): Promise<number> {
  await page.getByRole('searchbox').focus();
  await page.evaluate(() => {
    const measure = () => {
      const started = performance.now();
      const painted = new Promise((resolve) =>
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started))),
      );
      Object.assign(window, { painted });
    };
    addEventListener('keydown', measure, { once: true, capture: true });
  });
  await page.keyboard.press(letter === ' ' ? 'Space' : letter);
  return page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted);
}
