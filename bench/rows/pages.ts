/// <reference lib="dom" />
import { randomUUID } from 'node:crypto';
import lighthouse, { type Result as LighthouseResult } from 'lighthouse';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { demoLibrary } from '#clinic/demo-library.ts';
import type { Activity } from '#contract/activity.ts';
import { practicePath } from '#contract/practices/path.ts';
import { renderedPages } from '#contract/site/public-pages.ts';
import { codeOf } from '#server/testing/authenticator.ts';
import { dayAgo } from '#server/testing/diaries.ts';
import { findFreePort } from '#server/testing/free-port.ts';
import { visitorAt } from '#server/testing/server.ts';
import { publishName, sectionOf, withFields } from '#server/testing/site-content.ts';
import { storageOf } from '#server/testing/storage.ts';
import { inBrowser, launch, makePhone } from '../browser.ts';
import { fillDiary } from '../fill.ts';
import { against, type Figure, figureOf, interleave, type Result, type Row } from '../measure.ts';
import {
  admin,
  clientOf,
  type Session,
  type Subject,
  signIn,
  startBaselineProgram,
  startSubject,
} from '../subject.ts';

const signedInPages = ['/minha-area', '/diario', '/semana'];
const diaryEntries = 5_000;
/** Pages without a baseline have fewer rounds, because a run of Lighthouse takes long. */
const mostRounds = 3;
const mostPresses = 12;
const settleMs = 4_000;
/** People look before they press again. Also, the observer is called some time after the frame. */
const betweenPressesMs = 300;

/** Measures the pages of visitors and patients on Lighthouse's simulated phone. */
export const pages: Row = {
  name: 'pages',
  about: 'pages of visitors and patients on Lighthouse’s phone; baseline of /: its text as plain HTML',
  async run({ rounds }) {
    const subject = await startSubject();
    const practice = await publishClinic(subject);
    const patient = await addPatient(subject, practice.id);
    const baseline = await startBaselineProgram('plain-page.ts', subject.url);
    const results: Result[] = [];
    try {
      const { lcp } = await interleave(
        rounds,
        () => measurePage(subject.url),
        () => measurePage(baseline.url),
      );
      results.push(
        {
          what: 'LCP of / against its text',
          unit: 'ms',
          ...against('plain HTML', lcp),
          goal: { atMost: 1.4 },
        },
        ...(await measureScripts(subject.url)),
      );
      const paths = [...renderedPages, practicePath(practice), ...signedInPages];
      for (const path of paths) {
        const signedIn = signedInPages.includes(path) ? [patient] : [];
        const runs: PageSpeed[] = [];
        while (runs.length < Math.min(rounds, mostRounds))
          runs.push(await measurePage(subject.url + path, ...signedIn));
        results.push(...linesOf(path, (name) => figureOf(runs.map((run) => run[name]))));
        const presses: number[] = [];
        await inBrowser(Math.min(rounds, mostRounds), signedIn, async (page) => {
          presses.push(await longestPress(page, subject.url + path));
        });
        results.push({ what: `INP of ${path}`, unit: 'ms', ours: figureOf(presses), goal: { atMost: 100 } });
      }
    } finally {
      await baseline.stop();
      await subject.stop();
    }
    return results;
  },
};

/**
 * Publishes the site with photographs as its two portraits, and adds the practices of the demo.
 * @returns a practice
 */
async function publishClinic({ url }: Subject): Promise<Activity> {
  const user = visitorAt(url, url);
  await user.client.auth.signIn({ email: admin.email, password: admin.password });
  const { documents, site } = user.client;
  const storage = storageOf(user);
  const portraitOf = async (file: string) => {
    const sent = await storage.upload(file, await makePhotograph());
    if (!sent.ok) throw new Error(`The upload of ${file} got ${sent.status}: ${await sent.text()}`);
    return { file: await storage.url(file), alt: 'Retrato da médica' };
  };
  const draft = await site.getDraft();
  const { hero, about } = sectionOf(draft, 'home').content;
  const portraits = {
    hero: { ...hero, portrait: await portraitOf('site/portrait/hero') },
    about: { ...about, portrait: await portraitOf('site/portrait/about') },
  };
  await site.saveSection(withFields(draft, 'home', portraits));
  await publishName(user.client, 'Ana Prado');
  for (const activity of demoLibrary) await documents.createActivity(activity);
  const { activities } = await documents.getActivities('mindActsList');
  return activities[0] as Activity;
}

/** Adds a patient with a diary, to whom the admin has proposed a practice. */
async function addPatient({ url, cookie }: Subject, activityId: string): Promise<Session> {
  const { password } = admin;
  const account = { displayName: 'Paula', email: 'paula@exemplo.com.br', password };
  const { user } = await visitorAt(url, url).client.auth.signUp(account);
  const patient = { url, cookie: await signIn(url, account) };
  await fillDiary(clientOf(patient), diaryEntries);
  const { auth, clinicians, week } = clientOf({ url, cookie });
  const { uri } = await auth.beginSecondFactor({ password });
  await auth.confirmSecondFactor(codeOf(uri));
  const { uid } = (await auth.findSession())?.user ?? { uid: '' };
  await (await clinicians()).name(uid, { name: 'Dra. Alice', crm: 'CRM-SP 123456', password });
  const times = { fromDay: dayAgo(0), toDay: dayAgo(-7), timesPerWeek: 3 };
  await (await week()).propose(user.uid, { id: randomUUID(), activityId, ...times, message: 'Sem pressa.' });
  return patient;
}

/** Blurred noise compresses like a photograph: about 120 kB at 720 px. */
async function makePhotograph(): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
  const picture = sharp({ create: { width: 1_200, height: 1_500, channels: 3, background: 'gray', noise } });
  return Uint8Array.from(await picture.blur(1.5).jpeg({ quality: 90 }).toBuffer());
}

/** `score` is the lowest of the scores, at most 100. `lcp` is in milliseconds. */
type PageSpeed = { score: number; lcp: number; cls: number };

function linesOf(path: string, figure: (name: keyof PageSpeed) => Figure): Result[] {
  return [
    { what: `lowest score of ${path}`, unit: '', ours: figure('score'), goal: { atLeast: 100 } },
    { what: `LCP of ${path}`, unit: 'ms', ours: figure('lcp'), goal: { atMost: 1_200 } },
    { what: `CLS of ${path}`, unit: '', ours: figure('cls'), goal: { atMost: 0.02 } },
  ];
}

async function measureScripts(url: string): Promise<Result[]> {
  const lhr = await runLighthouse(url);
  const scripts = rowsOf(lhr, 'network-requests').filter((row) => row.resourceType === 'Script');
  const blocking = new Set(rowsOf(lhr, 'render-blocking-insight').map((row) => row.url));
  const kilobytes = await Promise.all(scripts.map((row) => compressedKb(String(row.url))));
  const total = kilobytes.reduce((sum, size) => sum + size, 0);
  const first = scripts.filter((row) => blocking.has(row.url)).length;
  return [
    { what: 'JavaScript of /, Brotli', unit: 'kB', ours: figureOf([total]), goal: { atMost: 105 } },
    { what: 'scripts before the first paint', unit: '', ours: figureOf([first]), goal: { atMost: 0 } },
  ];
}

/** @param signedIn the session of the browser; absent for a visitor */
async function measurePage(url: string, signedIn?: Session): Promise<PageSpeed> {
  const { audits, categories } = await runLighthouse(url, signedIn);
  const scores = Object.values(categories).map(({ score }) => Math.round((score ?? 0) * 100));
  return {
    score: Math.min(...scores),
    lcp: Math.round(audits['largest-contentful-paint']?.numericValue ?? Number.NaN),
    cls: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
  };
}

/** Repeats a failed run up to twice, because on a busy machine Lighthouse cannot always read the trace. */
async function runLighthouse(url: string, signedIn?: Session, failures = 0): Promise<LighthouseResult> {
  // Search engines must not list the pages of a patient, and some forms.
  const isIndexed = !(await (await fetch(url)).text()).includes('content="noindex"');
  const port = await findFreePort();
  const browser = await launch(
    ...['--disable-quic', '--no-first-run', '--disable-sync', '--disable-background-networking'],
    ...['--disable-component-update', `--remote-debugging-port=${port}`],
  );
  try {
    const categories = ['performance', 'accessibility', 'best-practices'];
    const result = await lighthouse(url, {
      ...{ port, formFactor: 'mobile', logLevel: 'error' },
      onlyCategories: isIndexed ? [...categories, 'seo'] : categories,
      ...(signedIn && { extraHeaders: { Cookie: signedIn.cookie } }),
    });
    const lhr = result?.lhr;
    if (!lhr || lhr.runtimeError)
      throw new Error(`Lighthouse gave nothing for ${url}: ${lhr?.runtimeError?.message}`);
    if (new URL(lhr.finalDisplayedUrl).pathname !== new URL(url).pathname)
      throw new Error(`${url} became ${lhr.finalDisplayedUrl}.`);
    return lhr;
  } catch (error) {
    if (failures === 2) throw error;
  } finally {
    await browser.close();
  }
  return runLighthouse(url, signedIn, failures + 1);
}

/**
 * Presses the first buttons and fields of a page on a processor four times slower.
 * @returns the longest time from a press to the next frame, like Interaction to Next Paint
 */
async function longestPress(page: Page, url: string): Promise<number> {
  let longest = 0;
  await page.exposeFunction('notePress', (ms: number) => {
    longest = Math.max(longest, ms);
  });
  await page.addInitScript(() => {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[])
        if (entry.interactionId)
          (window as unknown as { notePress(ms: number): void }).notePress(entry.duration);
    });
    observer.observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  });
  await makePhone(page, { network: false });
  await page.goto(url);
  const targets = page.locator('button:visible, summary:visible, input:visible, textarea:visible');
  // The browser renders the pages of a patient after they have loaded.
  await page.waitForTimeout(settleMs);
  const count = Math.min(await targets.count(), mostPresses);
  for (let index = 0; index < count; index += 1) {
    const target = targets.nth(index);
    // A dialog can cover the target, and a press can remove it.
    await target.click({ timeout: 1_000 }).catch(() => {});
    for (const key of ['a', 'Escape']) {
      await page.waitForTimeout(betweenPressesMs);
      await page.keyboard.press(key);
    }
    await page.waitForTimeout(betweenPressesMs);
  }
  return longest;
}

/** Returns the table of an audit. @throws Error when this version of Lighthouse has no such audit */
function rowsOf(lhr: LighthouseResult, audit: string): Record<string, unknown>[] {
  if (!lhr.audits[audit]) throw new Error(`Lighthouse has no audit "${audit}".`);
  const { details } = lhr.audits[audit];
  return details && 'items' in details ? (details.items as Record<string, unknown>[]) : [];
}

/** Size of a script in kB (1,000 bytes), without headers. @throws Error when it is not compressed */
async function compressedKb(url: string): Promise<number> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'br' } });
  await response.arrayBuffer();
  const { headers } = response;
  const bytes = Number(headers.get('content-length'));
  if (headers.get('content-encoding') !== 'br' || !bytes) throw new Error(`${url} does not come in Brotli.`);
  return bytes / 1000;
}
