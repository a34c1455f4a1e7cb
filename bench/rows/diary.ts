/// <reference lib="dom" />
import { randomUUID } from 'node:crypto';
import { dayAgo, words } from '#server/testing/diaries.ts';
import { inBrowser, makePhone } from '../browser.ts';
import { fillDiary } from '../fill.ts';
import { figureOf, p95, type Result, type Row, timed } from '../measure.ts';
import { clientOf, type Subject, startSubject } from '../subject.ts';

const entries = 5_000;
const queued = 200;
/** With the entries that are there, fewer than the server accepts for a day. */
const queuedPerDay = 10;
let day = 0;

/** Measures the calls, the page and the queue of a diary with a year of entries. */
export const diary: Row = {
  name: 'diary',
  about: `a diary with ${entries.toLocaleString('en')} entries: p95 of its calls, its page on a slow phone, its queue`,
  async run({ rounds }) {
    const subject = await startSubject();
    try {
      return [
        ...(await measureCalls(subject)),
        ...(await measureViews(subject, rounds)),
        await measureQueue(subject, Math.min(rounds, 2), '/minha-area'),
        await measureQueue(subject, Math.min(rounds, 2), '/diario'),
      ];
    } finally {
      await subject.stop();
    }
  },
};

async function measureCalls(subject: Subject): Promise<Result[]> {
  const client = clientOf(subject);
  const session = await client.auth.findSession();
  const own = await fillDiary(client, entries);
  const edited = randomUUID();
  const calls: [what: string, call: () => Promise<unknown>][] = [
    ['the newest entries', () => own.days()],
    ['the words of 12 weeks', () => own.chart(dayAgo(0))],
    ['the state', () => own.state()],
    ['200 changes by revision', () => own.list(2_000)],
    ['store a change', () => own.change(edited, { ...words('Alegria'), intensity: 3 })],
    ['the mood record', () => client.documents.getWordMood(session?.user.uid ?? '')],
  ];
  const results: Result[] = [];
  for (const [what, call] of calls) results.push(await p95(what, timed(call), 50));
  return results;
}

/** The first view of the page, with the latency and the bandwidth of Lighthouse's phone. */
async function measureViews(subject: Subject, rounds: number): Promise<Result[]> {
  const loads: number[] = [];
  const views: number[] = [];
  await inBrowser(rounds, [subject], async (page) => {
    await makePhone(page, { network: true });
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
  });
  return [
    { what: 'from "Minha área" to the entries', unit: 'ms', ours: figureOf(views), goal: { atMost: 1_000 } },
    { what: 'the page alone, nothing cached', unit: 'ms', ours: figureOf(loads) },
  ];
}

/** Measures the time from the return of the network until the queue on the device is empty. */
async function measureQueue(subject: Subject, rounds: number, path: string): Promise<Result> {
  const times: number[] = [];
  await inBrowser(rounds, [subject], async (page) => {
    await page.goto(`${subject.url}/aparelho`);
    await page.getByLabel('Este aparelho é só meu.').check();
    await page.getByRole('button', { name: 'Usar sem internet neste aparelho' }).click();
    await page.getByText('Este aparelho está pronto para usar sem internet.').waitFor();
    await page.goto(subject.url + path, { waitUntil: 'networkidle' });
    const changes = Array.from({ length: queued }, (_, place) => {
      if (place % queuedPerDay === 0) day += 1;
      const note = { base: 0, text: `Sem rede ${place}. `.repeat(20) };
      return { ...words('saudade'), day: dayAgo(day), note };
    });
    times.push(await page.evaluate(sendQueue, { changes, mostMs: 60_000 }));
  });
  const what = `send a queue of ${queued} entries on ${path}`;
  return { what, unit: 'ms', ours: figureOf(times), goal: { atMost: 2_000 } };
}

/**
 * Runs in the page. Stores new entries as web/offline/queue.ts does, and tells the page that the network has
 * returned. The form takes too long for so many entries.
 * @returns the milliseconds until all are sent, or `mostMs`
 */
async function sendQueue({ changes, mostMs }: { changes: object[]; mostMs: number }): Promise<number> {
  const settled = <Value>(request: IDBRequest<Value>) =>
    new Promise<Value>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const uid = localStorage.getItem('acolhe:device');
  const database = await settled(indexedDB.open(`acolhe-${uid}`));
  const queue = (mode: IDBTransactionMode) => database.transaction('queue', mode).objectStore('queue');
  const key: CryptoKey = await settled(database.transaction('key').objectStore('key').get('key'));
  const encoder = new TextEncoder();
  for (const change of changes) {
    const id = crypto.randomUUID();
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const cipher = { name: 'AES-GCM', iv, additionalData: encoder.encode(`${uid} queue ${id}`) };
    const item = { writtenAt: Date.now(), tried: false, changes: [{ change }] };
    const data = await crypto.subtle.encrypt(cipher, key, encoder.encode(JSON.stringify(item)));
    await settled(queue('readwrite').add({ id, version: crypto.randomUUID(), iv, data }));
  }
  const started = performance.now();
  window.dispatchEvent(new Event('online'));
  let ms = 0;
  while (ms < mostMs && (await settled(queue('readonly').count())) > 0) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    ms = performance.now() - started;
  }
  database.close();
  return ms;
}
