import lighthouse, { type Result } from 'lighthouse';
import { chromium } from 'playwright';
import { findChromium } from '#build/chromium.ts';
import { findFreePort } from '#server/testing/free-port.ts';

export type Category = 'performance' | 'accessibility' | 'best-practices' | 'seo';

/** Lighthouse's results for a page on its simulated phone. */
export type PageSpeed = {
  /** Scores of at most 100, in the order of the requested categories. */
  scores: number[];
  /** Largest contentful paint, in milliseconds. */
  lcp: number;
  cls: number;
  /** The audits that count for a category and have a score below 0.9. */
  failed: string[];
  /** The URLs of the scripts that the page loads without user input. */
  scripts: string[];
  /** The scripts that block the first paint. */
  blockingScripts: string[];
};

/** Measures once. Repeats a failed run, because on a busy machine Lighthouse cannot always read the trace. */
export async function measurePage(url: string, categories: readonly Category[]): Promise<PageSpeed> {
  let failure: unknown;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      return await measureOnce(url, categories);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Starts a new browser, so that its caches are empty. */
async function measureOnce(url: string, categories: readonly Category[]): Promise<PageSpeed> {
  const executablePath = process.env.CHROME_PATH ?? findChromium();
  if (executablePath === undefined) throw new Error('No Chromium was found: set CHROME_PATH.');
  const port = await findFreePort();
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update', `--remote-debugging-port=${port}`],
      // Only the proxy of https-front.ts uses HTTPS. Chromium does not trust its certificate.
      ...(url.startsWith('https:') ? ['--ignore-certificate-errors'] : []),
    ],
  });
  try {
    const options = { port, formFactor: 'mobile', logLevel: 'error' } as const;
    const lhr = (await lighthouse(url, { ...options, onlyCategories: [...categories] }))?.lhr;
    if (!lhr || lhr.runtimeError)
      throw new Error(`Lighthouse gave nothing for ${url}: ${lhr?.runtimeError?.message}`);
    const scripts = rowsOf(lhr, 'network-requests').filter((row) => row.resourceType === 'Script');
    const blocking = new Set(rowsOf(lhr, 'render-blocking-insight').map((row) => row.url));
    return {
      scores: categories.map((name) => Math.round((lhr.categories[name]?.score ?? 0) * 100)),
      lcp: Math.round(lhr.audits['largest-contentful-paint']?.numericValue ?? Number.NaN),
      cls: lhr.audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
      failed: failedAudits(lhr),
      scripts: scripts.map((row) => String(row.url)),
      blockingScripts: scripts.filter((row) => blocking.has(row.url)).map((row) => String(row.url)),
    };
  } finally {
    await browser.close();
  }
}

function failedAudits(lhr: Result): string[] {
  const costly = Object.values(lhr.categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0).map(({ id }) => id),
  );
  return [...new Set(costly)].filter((id) => {
    const score = lhr.audits[id]?.score;
    return typeof score === 'number' && score < 0.9;
  });
}

/** Returns the table of an audit. @throws Error when this version of Lighthouse has no such audit */
function rowsOf(lhr: Result, audit: string): Record<string, unknown>[] {
  if (!lhr.audits[audit]) throw new Error(`Lighthouse has no audit "${audit}".`);
  const { details } = lhr.audits[audit];
  return details && 'items' in details ? (details.items as Record<string, unknown>[]) : [];
}
