/**
 * Measures public pages of the demo on Lighthouse's simulated phone, and prints the median of three runs per
 * page. At the end, it measures the home page with photographs instead of the demo's drawings. Run
 * `node bench/lighthouse.ts`. Exits with 1 when a goal is missed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { imageWidths } from '#contract/image-widths.ts';
import { findFreePort } from '#server/testing/free-port.ts';
import { visitorAt } from '#server/testing/server.ts';
import { sectionOf, withFields } from '#server/testing/site-content.ts';
import { storageOf } from '#server/testing/storage.ts';
import { figureOf } from './measure.ts';
import { type Category, measurePage, type PageSpeed } from './page-speed.ts';
import { makePhotograph } from './photograph.ts';

const pages = ['/', '/about', '/practices', '/login', '/register', '/privacidade'];
/** Finds the URL of a practice in the sitemap. Its page is measured after the pages above. */
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
  const ready = Promise.withResolvers<{ email: string; password: string }>();
  createInterface(demo.stdout).on('line', (line) => {
    const [, email, password] = /^ {2}Admin.* (\S+@\S+) +senha (\S+)$/.exec(line) ?? [];
    if (email && password) ready.resolve({ email, password });
  });
  demo.once('exit', (code) => ready.reject(new Error(`The demo ended with ${code}.`)));
  return {
    url: `http://localhost:${port}`,
    admin: await ready.promise,
    async stop() {
      demo.kill();
      await once(demo, 'exit');
    },
  };
}

/** Uploads a photograph for each of the home page's two portraits, and publishes the page. */
async function publishPhotographs({ url, admin }: Pick<typeof demo, 'url' | 'admin'>) {
  const user = visitorAt(url, url);
  await user.client.auth.signIn(admin);
  const { site } = user.client;
  const storage = storageOf(user);
  const portraitOf = async (file: string) => {
    const sent = await storage.upload(file, await makePhotograph(1_200, 1_500));
    if (!sent.ok) throw new Error(`The upload of ${file} got ${sent.status}: ${await sent.text()}`);
    const stored = await storage.url(file);
    for (const width of imageWidths) {
      const version = await fetch(`${url}${stored}&width=${width}`, { headers: { accept: 'image/avif' } });
      const bytes = (await version.arrayBuffer()).byteLength;
      console.log(`${file} at ${width} px: ${version.headers.get('content-type')}, ${bytes} bytes`);
    }
    return { file: stored, alt: 'Retrato da médica' };
  };
  const draft = await site.getDraft();
  const { hero, about } = sectionOf(draft, 'home').content;
  const fields = {
    hero: { ...hero, portrait: await portraitOf('site/portrait/hero') },
    about: { ...about, portrait: await portraitOf('site/portrait/about') },
  };
  await site.saveSection(withFields(draft, 'home', fields));
  await site.publish((await site.getDraft()).tag, { warningsConfirmed: true });
}

/** Measures a page, and prints a line about it. */
async function measure(page: string, name = page) {
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
    `${name.slice(0, 11).padEnd(12)}${figures}${String(lcp).padStart(12)}${cls.toFixed(3).padStart(8)}  ${reached ? '' : `below the goal ${failed}`}`,
  );
}

const demo = await startDemo();
try {
  console.log(`Lighthouse, mobile, median of ${runs}\n`);
  console.log(
    `${'page'.padEnd(12)}${categories.map((name) => name.padStart(16)).join('')}      LCP ms     CLS`,
  );
  const [, practice = ''] = practiceUrl.exec(await (await fetch(`${demo.url}/sitemap.xml`)).text()) ?? [];
  for (const page of [...pages, new URL(practice).pathname]) await measure(page);
  await publishPhotographs(demo);
  await measure('/', '/ (photos)');
} finally {
  await demo.stop();
}
