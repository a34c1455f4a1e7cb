import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServerProcess } from '#server/testing/server-process.ts';
import { startHttpsFront } from '../https-front.ts';
import { figureOf, interleave, type Result, type Row } from '../measure.ts';
import { measurePage, type PageSpeed } from '../page-speed.ts';
import { startBaselineProgram, startSubject } from '../subject.ts';

/** Measures the home page on a simulated phone. The baseline has no fonts, styles, pictures or scripts. */
export const homePage: Row = {
  name: 'home-page',
  about: 'the home page on Lighthouse’s phone, and its JavaScript; baseline: its text as plain HTML',
  async run({ rounds }) {
    const subject = await startSubject();
    const baseline = await startBaselineProgram('plain-page.ts', subject.url);
    const published = await startPublished(baseline.url);
    try {
      const overHttp1 = await compare(rounds, subject.url, baseline.url);
      const overHttp2 = await compare(rounds, published.url, published.baselineUrl);
      const { scripts, blockingScripts } = overHttp1.page;
      const sizes = await Promise.all(scripts.map(packedKb));
      const results: Omit<Result, 'row'>[] = [
        { what: 'largest element painted, HTTP/1.1', ...overHttp1.painted },
        { what: 'largest element painted, HTTP/2', ...overHttp2.painted },
        {
          ...{ what: 'JavaScript, Brotli', unit: 'kB' },
          ours: figureOf([sizes.reduce((total, size) => total + size, 0)]),
          goal: { atMost: 105 },
        },
        {
          ...{ what: 'scripts before the first paint', unit: '' },
          ours: figureOf([blockingScripts.length]),
          goal: { atMost: 0 },
        },
      ];
      return results.map((result) => ({ row: 'home-page', ...result }));
    } finally {
      await published.stop();
      await baseline.stop();
      await subject.stop();
    }
  },
};

async function compare(rounds: number, url: string, baselineUrl: string) {
  let page: PageSpeed | undefined;
  const { ours, other, ratio } = await interleave(
    { rounds },
    async () => {
      page = await measurePage(url, ['performance']);
      return page.lcp;
    },
    async () => (await measurePage(baselineUrl, ['performance'])).lcp,
  );
  if (!page) throw new Error('No round was measured.');
  const against = { name: 'plain HTML', figure: other };
  return { page, painted: { unit: 'ms', ours, ratio, against, goal: { atMost: 1.4 } } };
}

/** Starts the product, and two proxies with HTTPS and HTTP/2: for the product and for `baselineUrl`. */
async function startPublished(baselineUrl: string) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-bench-'));
  const [front, baselineFront] = [await startHttpsFront(), await startHttpsFront()];
  baselineFront.leadsTo(baselineUrl);
  const server = await startServerProcess(dataDir, { PUBLIC_URL: front.url, TRUSTED_PROXIES: '127.0.0.1' });
  front.leadsTo(server.url);
  return {
    url: front.url,
    baselineUrl: baselineFront.url,
    async stop() {
      front.stop();
      baselineFront.stop();
      await server.kill();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Compressed size of a script in kB (1,000 bytes), without headers. @throws Error when it is not compressed
 */
async function packedKb(url: string): Promise<number> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'br' } });
  await response.arrayBuffer();
  const { headers } = response;
  const bytes = Number(headers.get('content-length'));
  if (headers.get('content-encoding') !== 'br' || !bytes) throw new Error(`${url} does not come in Brotli.`);
  return bytes / 1000;
}
