import { randomUUID } from 'node:crypto';
import { chromium } from 'playwright';
import { findChromium } from '#build/chromium.ts';
import { createClient } from '#client/client.ts';
import { createCookieFetch } from '#client/cookie-fetch.ts';
import { dayAfter } from '#contract/calendar.ts';
import type { DiaryFile } from '#contract/diary/entry.ts';
import { beginDiary } from '#server/testing/diaries.ts';
import { figureOf, p95, type Result, type Row, timed } from '../measure.ts';
import { cookiesOf, type Subject, startSubject } from '../subject.ts';

const entries = 5_000;
const today = new Date().toISOString().slice(0, 10);
const words = ['Em paz', 'Cansaço', 'Ansiedade', 'Esperança', 'Tristeza', 'saudade', 'orgulho', 'Medo'];

/** Measures the calls and the page of a diary with a year of entries. */
export const diary: Row = {
  name: 'diary',
  about: `p95 of the calls of a diary with ${entries.toLocaleString('en')} entries; its page on a slow phone`,
  async run({ rounds }) {
    const subject = await startSubject();
    try {
      return [...(await measureCalls(subject)), ...(await measureBrowser(subject, rounds))];
    } finally {
      await subject.stop();
    }
  },
};

async function measureCalls(subject: Subject): Promise<Result[]> {
  const { url } = subject;
  const client = createClient({
    auth: url,
    documents: url,
    fetch: createCookieFetch(url, new Map(cookiesOf(subject))),
  });
  const session = await client.auth.findSession();
  const own = await beginDiary(client);
  await own.importFile({ file: yearOfEntries() });
  const edit = async () => {
    const day = dayAfter(today, 1);
    const change = { change: randomUUID(), day, zone: 'America/Sao_Paulo', intensity: 3 };
    await own.change(edited, { ...change, words: { add: ['Alegria'], remove: [] } });
  };
  const edited = randomUUID();
  return [
    await p95(
      'the newest entries',
      timed(() => own.days()),
      50,
    ),
    await p95(
      'the words of 12 weeks',
      timed(() => own.chart(today)),
      50,
    ),
    await p95(
      'the state',
      timed(() => own.state()),
      50,
    ),
    await p95(
      '200 changes by revision',
      timed(() => own.list(2_000)),
      50,
    ),
    await p95('store a change', timed(edit), 50),
    await p95(
      'the mood record',
      timed(() => client.documents.getWordMood(session?.user.uid ?? '')),
      50,
    ),
  ];
}

/** The first view of the page, with the latency and the bandwidth of Lighthouse's phone. */
async function measureBrowser(subject: Subject, rounds: number): Promise<Result[]> {
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const loads: number[] = [];
  const views: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const context = await browser.newContext({
        reducedMotion: 'reduce',
        viewport: { width: 412, height: 823 },
      });
      await context.addCookies(
        cookiesOf(subject).map(([name, value]) => ({ name, value, url: subject.url })),
      );
      const page = await context.newPage();
      const devTools = await context.newCDPSession(page);
      await devTools.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 675_000 / 8 },
      });
      await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      const first = page.getByRole('link', { name: /^Editar/ }).first();
      let started = performance.now();
      await page.goto(`${subject.url}/diario`);
      await first.waitFor();
      loads.push(performance.now() - started);
      await page.goto(`${subject.url}/minha-area`);
      await page.getByText('Última anotação').waitFor();
      started = performance.now();
      await page.getByRole('link', { name: 'Meu diário' }).last().click();
      await first.waitFor();
      views.push(performance.now() - started);
      await context.close();
    }
  } finally {
    await browser.close();
  }
  return [
    { what: 'from "Minha área" to the entries', unit: 'ms', ours: figureOf(views), goal: { atMost: 1_000 } },
    { what: 'the page alone, nothing cached', unit: 'ms', ours: figureOf(loads) },
  ];
}

function yearOfEntries(): DiaryFile {
  const list = Array.from({ length: entries }, (_, place) => ({
    ...{ id: randomUUID(), day: dayAfter(today, -Math.floor((place * 365) / entries)), time: null },
    ...{ zone: 'America/Sao_Paulo', createdAt: Date.now() - place * 60_000, joined: false },
    words: [words[place % 8] ?? '', words[(place * 3 + 1) % 8] ?? ''],
    ...{ intensity: (place % 5) + 1, practices: [], toward: null },
    note: place % 2 === 0 ? 'Dormi mal, mas caminhei até o mercado e voltei mais leve. '.repeat(4) : '',
  }));
  return { format: 'acolhe-diary', version: 1, exportedAt: Date.now(), entries: list, unreadable: [] };
}
