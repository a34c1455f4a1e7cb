/**
 * Measures five public pages of the demo on Lighthouse's simulated phone, and prints the median of three runs
 * per page. Run `node bench/lighthouse.ts`. Exits with 1 when a goal is missed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '#server/testing/free-port.ts';
import { figureOf } from './measure.ts';
import { type Category, measurePage, type PageSpeed } from './page-speed.ts';

const pages = ['/', '/about', '/practices', '/login', '/register', '/privacidade'];
/** In the sitemap, after the pages above. */
const practiceUrl = /<loc>(\S+?\/practices\/\S+?)<\/loc>/;
const categories: Category[] = ['performance', 'accessibility', 'best-practices', 'seo'];
const runs = 3;
/** LCP in milliseconds on the simulated phone; CLS has no unit. */
const goals = { score: 100, lcp: 1200, cls: 0.02 };

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

const demo = await startDemo();
try {
  console.log(`Lighthouse, mobile, median of ${runs}\n`);
  console.log(
    `${'page'.padEnd(12)}${categories.map((name) => name.padStart(16)).join('')}      LCP ms     CLS`,
  );
  const [, practice = ''] = practiceUrl.exec(await (await fetch(`${demo.url}/sitemap.xml`)).text()) ?? [];
  for (const page of [...pages, new URL(practice).pathname]) {
    const measures: PageSpeed[] = [];
    for (let run = 0; run < runs; run += 1) measures.push(await measurePage(demo.url + page, categories));
    const median = (of: (one: PageSpeed) => number) => figureOf(measures.map(of)).median;
    const scores = categories.map((_, place) => median((one) => one.scores[place] ?? 0));
    const lcp = median((one) => one.lcp);
    const cls = median((one) => one.cls);
    const reached = scores.every((score) => score >= goals.score) && lcp <= goals.lcp && cls <= goals.cls;
    if (!reached) process.exitCode = 1;
    const figures = scores.map((score) => String(score).padStart(16)).join('');
    const failed = [...new Set(measures.flatMap((one) => one.failed))].join(', ');
    console.log(
      `${page.slice(0, 11).padEnd(12)}${figures}${String(lcp).padStart(12)}${cls.toFixed(3).padStart(8)}  ${reached ? '' : `below the goal ${failed}`}`,
    );
  }
} finally {
  await demo.stop();
}
