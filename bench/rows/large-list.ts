/// <reference lib="dom" />
import type { Page } from 'playwright';
import type { Activity } from '#contract/activity.ts';
import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import { inBrowser } from '../browser.ts';
import { fillActivities } from '../fill.ts';
import { figureOf, p95, type Result, type Row, timed } from '../measure.ts';
import { clientOf, createCaller, type Subject, startSubject } from '../subject.ts';

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
  const { documents } = clientOf(subject);
  const { activities } = await documents.getActivities(list);
  const [first, second, third] = activities as [Activity, Activity, Activity];
  let edited = second;
  const change = async () => {
    await documents.deleteActivity(third);
    await documents.restoreActivity(third);
  };
  const caller = createCaller(subject.url, { cookie: subject.cookie, 'accept-encoding': 'br' });
  const part = (of: string) => () => caller.call('GET', `${of}?names=1&part=0`);
  const titles = part(paths.documents.activitySummaries(list));
  const texts = part(paths.documents.activityItems(list));
  const save = async () => {
    const { id: _, createdAt: __, updatedAt: ___, ...input } = edited;
    edited = await documents.updateActivity(edited, input);
  };
  const calls: [what: string, call: () => Promise<unknown>, before?: () => Promise<void>][] = [
    ['titles, the first part', titles],
    ['titles after a change', titles, change],
    ['texts, the first part', texts],
    ['texts after a change', texts, change],
    ['one activity', () => documents.findActivity(first)],
    ['save an edit', save],
  ];
  const results: Result[] = [];
  for (const [what, call, before] of calls) results.push(await p95(what, timed(call), 50, before));
  results.push(await p95('delete and undo', timed(change), 100));
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
  const views: number[] = [];
  const keys: number[] = [];
  await inBrowser(rounds, [subject], async (page) => {
    const started = performance.now();
    await page.goto(`${subject.url}/admin/mind`);
    await page.getByRole('article').first().waitFor();
    views.push(performance.now() - started);
    for (const letter of 'numero 77') keys.push(await timeOfKey(page, letter));
  });
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
