/**
 * How the public pages are on a slow phone: Lighthouse's mobile run, the median of three for each page, on the
 * production server with the demo's library. `node bench/lighthouse.ts`; it ends with 1 when a goal is missed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import lighthouse, { type Result } from 'lighthouse';
import { type Browser, chromium } from 'playwright';
import { findFreePort } from '#server/testing/free-port.ts';
import { findChromium } from '../commands/test-machine.ts';

const pages = ['/', '/about', '/practices', '/login'];
const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
const runs = 3;
/** Milliseconds, on the simulated phone, and without a unit. */
const goals = { score: 100, lcp: 1200, cls: 0.02 };

type Measure = { scores: number[]; lcp: number; cls: number; failed: string[] };

async function startDemo() {
  const port = await findFreePort();
  const demo = spawn(process.execPath, [join(import.meta.dirname, '../commands/demo.ts')], {
    env: { ...process.env, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = Promise.withResolvers<void>();
  createInterface(demo.stdout).on('line', (line) => line.startsWith('Demonstração') && ready.resolve());
  demo.once('exit', (code) => ready.reject(new Error(`The demo ended with ${code}.`)));
  await ready.promise;
  return {
    url: `http://localhost:${port}`,
    async stop() {
      demo.kill();
      await once(demo, 'exit');
    },
  };
}

/** A browser for each run, so that nothing is in its caches. */
async function measure(url: string): Promise<Measure> {
  const port = await findFreePort();
  const browser = await launch(port);
  try {
    const options = { port, onlyCategories: categories, formFactor: 'mobile', logLevel: 'error' } as const;
    const lhr = (await lighthouse(url, { ...options, onlyCategories: [...categories] }))?.lhr;
    if (!lhr) throw new Error(`Lighthouse gave nothing for ${url}.`);
    return {
      scores: categories.map((name) => Math.round((lhr.categories[name]?.score ?? 0) * 100)),
      lcp: Math.round(lhr.audits['largest-contentful-paint']?.numericValue ?? Number.NaN),
      cls: lhr.audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
      failed: failedAudits(lhr),
    };
  } finally {
    await browser.close();
  }
}

function launch(port: number): Promise<Browser> {
  const executablePath = process.env.CHROME_PATH ?? findChromium();
  if (executablePath === undefined) throw new Error('No Chromium was found: set CHROME_PATH.');
  return chromium.launch({
    executablePath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update', `--remote-debugging-port=${port}`],
    ],
  });
}

/** The audits that cost points. */
function failedAudits(lhr: Result): string[] {
  const costly = Object.values(lhr.categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id),
  );
  return [...new Set(costly)].filter((id) => {
    const score = lhr.audits[id]?.score;
    return typeof score === 'number' && score < 0.9;
  });
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

const demo = await startDemo();
try {
  console.log(`Lighthouse, mobile, median of ${runs}\n`);
  console.log(
    `${'page'.padEnd(12)}${categories.map((name) => name.padStart(16)).join('')}      LCP ms     CLS`,
  );
  for (const page of pages) {
    const measures: Measure[] = [];
    for (let run = 0; run < runs; run += 1) measures.push(await measure(demo.url + page));
    const scores = categories.map((_, place) => median(measures.map((one) => one.scores[place] ?? 0)));
    const lcp = median(measures.map((one) => one.lcp));
    const cls = median(measures.map((one) => one.cls));
    const reached = scores.every((score) => score >= goals.score) && lcp <= goals.lcp && cls <= goals.cls;
    if (!reached) process.exitCode = 1;
    const figures = scores.map((score) => String(score).padStart(16)).join('');
    const failed = [...new Set(measures.flatMap((one) => one.failed))].join(', ');
    console.log(
      `${page.padEnd(12)}${figures}${String(lcp).padStart(12)}${cls.toFixed(3).padStart(8)}  ${reached ? '' : `below the goal ${failed}`}`,
    );
  }
} finally {
  await demo.stop();
}
