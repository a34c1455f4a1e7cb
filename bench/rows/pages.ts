import lighthouse, { type Result as LighthouseResult } from 'lighthouse';
import { chromium } from 'playwright';
import sharp from 'sharp';
import { findChromium } from '#build/chromium.ts';
import { demoLibrary } from '#clinic/demo-library.ts';
import { practicePath } from '#contract/practices/path.ts';
import { findFreePort } from '#server/testing/free-port.ts';
import { visitorAt } from '#server/testing/server.ts';
import { publishName, sectionOf, withFields } from '#server/testing/site-content.ts';
import { storageOf } from '#server/testing/storage.ts';
import { figureOf, type Result, type Row } from '../measure.ts';
import { admin, type Subject, startBaselineProgram, startSubject } from '../subject.ts';

const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
const pages = ['/about', '/practices', '/login', '/register', '/privacidade'];

/** Measures the public pages on Lighthouse's simulated phone. */
export const publicPages: Row = {
  name: 'pages',
  about: 'public pages on Lighthouse’s phone; baseline of the home page: its text as plain HTML',
  async run({ rounds }) {
    const subject = await startSubject();
    const practice = await publishClinic(subject);
    const baseline = await startBaselineProgram('plain-page.ts', subject.url);
    const results: Result[] = [];
    try {
      const [home, plain] = [await repeat(rounds, subject.url), await repeat(rounds, baseline.url)];
      const { scripts, blockingScripts } = home[0] as PageSpeed;
      const sizes = await Promise.all(scripts.map(compressedKb));
      const kilobytes = sizes.reduce((total, size) => total + size, 0);
      results.push(
        {
          what: 'largest element of /',
          unit: 'ms',
          ours: figureOf(home.map(({ lcp }) => lcp)),
          against: { name: 'plain HTML', figure: figureOf(plain.map(({ lcp }) => lcp)) },
          ratio: figureOf(home.map(({ lcp }, round) => lcp / (plain[round]?.lcp ?? Number.NaN))),
          goal: { atMost: 1.4 },
        },
        { what: 'JavaScript of /, Brotli', unit: 'kB', ours: figureOf([kilobytes]), goal: { atMost: 105 } },
        {
          what: 'scripts before the first paint',
          unit: '',
          ours: figureOf([blockingScripts.length]),
          goal: { atMost: 0 },
        },
        ...linesOf('/', home),
      );
      for (const path of [...pages, practice])
        results.push(...linesOf(path, await repeat(rounds, subject.url + path)));
    } finally {
      await baseline.stop();
      await subject.stop();
    }
    return results;
  },
};

/**
 * Publishes the site with photographs as its two portraits, and adds the practices of the demo.
 * @returns the path of a practice's page
 */
async function publishClinic({ url }: Subject): Promise<string> {
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
  return practicePath(activities[0] ?? { id: '', title: '' });
}

/** Blurred noise compresses like a photograph: about 120 kB at 720 px. */
async function makePhotograph(): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
  const picture = sharp({ create: { width: 1_200, height: 1_500, channels: 3, background: 'gray', noise } });
  return Uint8Array.from(await picture.blur(1.5).jpeg({ quality: 90 }).toBuffer());
}

type PageSpeed = {
  /** The lowest score of the four categories, at most 100. */
  score: number;
  /** Largest contentful paint, in milliseconds. */
  lcp: number;
  cls: number;
  scripts: string[];
  blockingScripts: string[];
};

function linesOf(path: string, measures: PageSpeed[]): Result[] {
  const name = path.length > 20 ? `${path.slice(0, 20)}…` : path;
  return [
    {
      what: `lowest score of ${name}`,
      unit: '',
      ours: figureOf(measures.map(({ score }) => score)),
      goal: { atLeast: 100 },
    },
    {
      what: `LCP of ${name}`,
      unit: 'ms',
      ours: figureOf(measures.map(({ lcp }) => lcp)),
      goal: { atMost: 1_200 },
    },
    {
      what: `CLS of ${name}`,
      unit: '',
      ours: figureOf(measures.map(({ cls }) => cls)),
      goal: { atMost: 0.02 },
    },
  ];
}

/** Repeats a failed run up to twice, because on a busy machine Lighthouse cannot always read the trace. */
async function repeat(rounds: number, url: string): Promise<PageSpeed[]> {
  const measures: PageSpeed[] = [];
  for (let failures = 0; measures.length < rounds; ) {
    try {
      measures.push(await measurePage(url));
    } catch (error) {
      failures += 1;
      if (failures > 2) throw error;
    }
  }
  return measures;
}

/** Starts a new browser, so that its caches are empty. */
async function measurePage(url: string): Promise<PageSpeed> {
  const port = await findFreePort();
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update', `--remote-debugging-port=${port}`],
    ],
  });
  try {
    const options = { port, formFactor: 'mobile', logLevel: 'error', onlyCategories: categories } as const;
    const lhr = (await lighthouse(url, options))?.lhr;
    if (!lhr || lhr.runtimeError)
      throw new Error(`Lighthouse gave nothing for ${url}: ${lhr?.runtimeError?.message}`);
    const scripts = rowsOf(lhr, 'network-requests').filter((row) => row.resourceType === 'Script');
    const blocking = new Set(rowsOf(lhr, 'render-blocking-insight').map((row) => row.url));
    return {
      score: Math.min(...categories.map((name) => Math.round((lhr.categories[name]?.score ?? 0) * 100))),
      lcp: Math.round(lhr.audits['largest-contentful-paint']?.numericValue ?? Number.NaN),
      cls: lhr.audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
      scripts: scripts.map((row) => String(row.url)),
      blockingScripts: scripts.filter((row) => blocking.has(row.url)).map((row) => String(row.url)),
    };
  } finally {
    await browser.close();
  }
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
