import { figureOf, interleave, type Result, type Row } from '../measure.ts';
import { measurePage, type PageSpeed } from '../page-speed.ts';
import { startLimitProgram, startSubject } from '../subject.ts';

/** The page that most visitors come to, on a slow phone: how late its fonts, styles and pictures make it. */
export const homePage: Row = {
  name: 'home-page',
  about: 'the home page on Lighthouse’s phone, against its words as plain HTML; its JavaScript',
  async run({ rounds }) {
    const subject = await startSubject();
    const limit = await startLimitProgram('plain-page.ts', subject.url);
    let page: PageSpeed | undefined;
    try {
      const { ours, other, ratio } = await interleave(
        { rounds },
        async () => {
          page = await measurePage(subject.url, ['performance']);
          return page.lcp;
        },
        async () => (await measurePage(limit.url, ['performance'])).lcp,
      );
      const { scripts = [], blockingScripts = [] } = page ?? {};
      const sizes = await Promise.all(scripts.map(packedKb));
      const results: Omit<Result, 'row'>[] = [
        {
          ...{ what: 'largest element painted', unit: 'ms', ours, ratio },
          against: { name: 'plain HTML', figure: other },
          goal: { atMost: 1.4 },
        },
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
      await limit.stop();
      await subject.stop();
    }
  },
};

/** What travels for a script, without its headers, in kB of 1000. @throws Error when it does not come packed */
async function packedKb(url: string): Promise<number> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'br' } });
  await response.arrayBuffer();
  const { headers } = response;
  const bytes = Number(headers.get('content-length'));
  if (headers.get('content-encoding') !== 'br' || !bytes) throw new Error(`${url} does not come in Brotli.`);
  return bytes / 1000;
}
