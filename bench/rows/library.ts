import { limits } from '#contract/limits.ts';
import { paths } from '#contract/paths.ts';
import { minutesOffered, practiceOrders, practicesQuery } from '#contract/practices/choice.ts';
import type { Database } from '#server/database/connect.ts';
import { content, fillActivities } from '../fill.ts';
import { figureOf, type Result, type Row } from '../measure.ts';
import { cpuMicros, createCaller, startSubject } from '../subject.ts';

const list = 'mindActsList';
const longText = 'Note o ar que entra e o ar que sai. Não é preciso mudar nada. '.repeat(790);
/** Many enough for `/proc`, which counts in hundredths of a second. */
const [discarded, measured, wholeLists] = [50, 150, 10];

/** Some of them have fewer pages than the addresses name. */
const choices = ([undefined, 'mind', 'move'] as const)
  .flatMap((axis) => [undefined, ...minutesOffered].map((minutes) => ({ axis, minutes })))
  .flatMap((choice) => practiceOrders.map((order) => ({ ...choice, order })));
const words = [
  'respirar',
  'ar',
  'prática',
  'mudar nada',
  'x',
  'nao e preciso',
  '%',
  'número',
  'a',
  'prática número',
];
const choose = (at: number) => practicesQuery({ ...choices[at % choices.length], page: 1 + (at % 7) });
const search = (at: number) => practicesQuery({ search: `${words[at % words.length]}`, page: 1 + (at % 3) });
const newSearch = (at: number) => practicesQuery({ search: `${words[at % words.length]} ${at}` });
const nothing = (at: number) => practicesQuery({ search: `ninguém ${at} `.repeat(30) });

/**
 * The addresses of public requests, each a function of a number that grows. Images to share are not among
 * them: another process draws them, once for each version.
 */
const requests: [name: string, address: (at: number) => string][] = [
  ['/', () => '/'],
  ['/, unknown parameters', (at) => `/?v=${at}`],
  ...['/practices', paths.documents.practices].flatMap((path): typeof requests => [
    [path, () => path],
    [`${path}, all choices`, (at) => path + choose(at)],
    [`${path}, searches`, (at) => path + search(at)],
    [`${path}, new searches`, (at) => path + newSearch(at)],
    [`${path}, long searches`, (at) => path + nothing(at)],
  ]),
  ['page of a practice', (at) => `/practices/medida-${at}`],
  ['practice for its page', (at) => paths.documents.practicePage(`medida-${at}`)],
  ['activity', (at) => paths.documents.activityItem(list, `medida-${at}`)],
  ['practices for the night', () => paths.documents.nightPractices],
  ['content of the site', () => paths.site.content()],
  ['sitemap', () => '/sitemap.xml'],
];

/** Measures public requests one after another, with many practices and with long ones. */
export const library: Row = {
  name: 'library',
  about: 'mean processor time of public requests with 10,000 practices, and with 400 of 49,000 characters',
  run: async () => [
    ...(await measure('10,000', limits.listMaxItems, content)),
    ...(await measure('400 long', 400, longText)),
  ],
};

async function measure(practices: string, count: number, text: string): Promise<Result[]> {
  const fill = (database: Database) => fillActivities(database, count, text);
  const subject = await startSubject(fill, { environment: { TRUSTED_PROXIES: 'loopback' } });
  // Each request is from another visitor, because the server limits the searches of one.
  const visitor = (at: number) => ({ 'x-forwarded-for': `10.0.${at >> 8}.${at & 255}` });
  const caller = createCaller(subject.url, { 'accept-encoding': 'br' });
  const mean = async (address: (at: number) => string, from: number, times: number) => {
    const before = await cpuMicros(subject.pid);
    for (let at = from; at < from + times; at += 1)
      await caller.call('GET', address(at), { headers: visitor(at) });
    return ((await cpuMicros(subject.pid)) - before) / times / 1_000;
  };
  const results: Result[] = [];
  try {
    for (const [name, address] of requests) {
      await mean(address, 0, discarded);
      const ours = figureOf([await mean(address, discarded, measured)]);
      results.push({ what: `${practices}: ${name}`, unit: 'ms', ours, goal: { atMost: 5 } });
    }
    // A whole list of 15 MB is a stream.
    const ours = figureOf([await mean(() => paths.documents.activities(list), 0, wholeLists)]);
    results.push({ what: `${practices}: whole list`, unit: 'ms', ours });
  } finally {
    caller.close();
    await subject.stop();
  }
  return results;
}
