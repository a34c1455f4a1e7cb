import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServerProcess } from '#server/testing/server-process.ts';
import { startHttpsFront } from '../https-front.ts';
import { figureOf, interleave, type Result, type Row } from '../measure.ts';
import { measurePage, type PageSpeed } from '../page-speed.ts';
import { startBaselineProgram, startSubject } from '../subject.ts';

/** The page that most visitors come to, on a slow phone: how late its fonts, styles and pictures make it. */
export const homePage: Row = {
  name: 'home-page',
  about: 'the home page on Lighthouse’s phone, against its words as plain HTML; its JavaScript',
  async run({ rounds }) {
    const subject = await startSubject();
    const baseline = await startBaselineProgram('plain-page.ts', subject.url);
    const published = await startPublished(baseline.url);
    try {
      const overHttp1 = await compare(rounds, subject.url, baseline.url);
      const overHttp2 = await compare(rounds, published.url, published.limitUrl);
      const { scripts, blockingScripts } = overHttp1.page;
      const sizes = await Promise.all(scripts.map(packedKb));
      const results: Omit<Result, 'row'>[] = [
        { what: 'largest element painted, HTTP/1.1', ...overHttp1.painted },
        { what: 'largest element painted, HTTP/2', ...overHttp2.painted },
        {
          ...{ what: 'JavaScript, Brotli', unit: 'kB' },
          ours: figureOf([sizes.reduce((total, size) => total + size, 0)]),
          goal: { atMost: 95 },
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

async function compare(rounds: number, url: string, limitUrl: string) {
  let page: PageSpeed | undefined;
  const { ours, other, ratio } = await interleave(
    { rounds },
    async () => {
      page = await measurePage(url, ['performance']);
      return page.lcp;
    },
    async () => (await measurePage(limitUrl, ['performance'])).lcp,
  );
  if (!page) throw new Error('No round was measured.');
  const against = { name: 'plain HTML', figure: other };
  return { page, painted: { unit: 'ms', ours, ratio, against, goal: { atMost: 1.4 } } };
}

/** The product as visitors get it, behind a proxy with HTTPS and HTTP/2, and the plain page at `limitUrl` likewise. */
async function startPublished(limitUrl: string) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-bench-'));
  const [front, limitFront] = [await startHttpsFront(), await startHttpsFront()];
  limitFront.leadsTo(limitUrl);
  const server = await startServerProcess(dataDir, { PUBLIC_URL: front.url, TRUSTED_PROXIES: '127.0.0.1' });
  front.leadsTo(server.url);
  return {
    url: front.url,
    limitUrl: limitFront.url,
    async stop() {
      front.stop();
      limitFront.stop();
      await server.kill();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** What travels for a script, without its headers, in kB of 1000. @throws Error when it does not come packed */
async function packedKb(url: string): Promise<number> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'br' } });
  await response.arrayBuffer();
  const { headers } = response;
  const bytes = Number(headers.get('content-length'));
  if (headers.get('content-encoding') !== 'br' || !bytes) throw new Error(`${url} does not come in Brotli.`);
  return bytes / 1000;
}
