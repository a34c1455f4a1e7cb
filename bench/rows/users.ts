import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { paths } from '#contract/paths.ts';
import type { UsersPage } from '#contract/user.ts';
import { connect, migrate } from '#server/database/connect.ts';
import { migrations } from '#server/database/migrations/migrations.ts';
import { fillUsers } from '../fill.ts';
import { figureOf, percentile, type Result, type Row } from '../measure.ts';
import { createCaller, type Subject, startSubject } from '../subject.ts';

const people = 1_000_000;
/** The copied database has no file with a secret beside it. */
const environment = { AUTH_SECRET: 'segredo-para-medir-com-mais-de-32-letras' };
const pagesPerOrder = 10;

/** Frequent and rare names, whole and partial, with accents and apostrophes, and searches without a match. */
const words = (
  'maria|silva|maria silva|josé|wagner|zulmira|quitéria|évora|ubirajara|xavier|gmail|gmail.com|exemplo.com.br|' +
  "maria.silva7|123456|d'ávila|zimmermann|jandira wagner|zulmira kowalski|josé xavier|conceição|ação|nobre|" +
  'ninguém assim|m|x|k|ma|xa|%'
).split('|');
/** The words, and filters that match nearly all users, few, or none; alone and with a word. */
const selections: Record<string, string>[] = [
  ...words.map((search) => ({ search })),
  ...['no', 'admin'].map((role) => ({ role })),
  ...['yes', 'no'].map((verified) => ({ verified })),
  ...[7, 365].map((days) => ({ since: String(Date.now() - days * 24 * 60 * 60_000) })),
  { search: 'maria', role: 'admin' },
  { search: 'zulmira', verified: 'no' },
];
const orders = ['name', 'email', 'createdAt'].flatMap((sort) =>
  ['asc', 'desc'].map((order) => ({ sort, order })),
);

/** Measures how an admin reads the lists of a million users. The server also writes the access log. */
export const users: Row = {
  name: 'users',
  about: `p95 of the users page and of its search at ${people.toLocaleString('en')} users, access log included`,
  async run({ rounds }) {
    const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-bench-'));
    try {
      await copyFile(await filledSqlite(), path.join(folder, 'acolhe.sqlite'));
      return await measure(await startSubject(undefined, { dataDir: folder, environment }), rounds);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measure(subject: Subject, rounds: number): Promise<Result[]> {
  const caller = createCaller(subject.url, { cookie: subject.cookie });
  const pages: number[][] = [];
  const found: number[][] = [];
  try {
    // The first round is discarded.
    for (let round = -1; round < rounds; round += 1) {
      const [page, search]: [number[], number[]] = [[], []];
      for (const order of orders) {
        let after: string | null = null;
        for (let number = 0; number < pagesPerOrder; number += 1) {
          const { ms, text } = await caller.call('GET', pathOf({ ...order, ...(after && { after }) }));
          after = (JSON.parse(text) as UsersPage).next;
          page.push(ms);
        }
      }
      for (const order of orders)
        for (const selection of selections) {
          const { ms } = await caller.call('GET', pathOf({ ...order, ...selection }));
          search.push(ms);
        }
      if (round < 0) continue;
      pages.push(page);
      found.push(search);
    }
  } finally {
    caller.close();
    await subject.stop();
  }
  const line = (what: string, of: number[][], part: number, goal?: number): Result => ({
    what,
    unit: 'ms',
    ours: figureOf(of.map((times) => percentile(times, part))),
    ...(goal && { goal: { atMost: goal } }),
  });
  return [
    line('page p50', pages, 0.5),
    line('page p95', pages, 0.95, 20),
    line('search p50', found, 0.5),
    line('search p95', found, 0.95, 50),
    line('slowest search', found, 1),
  ];
}

const pathOf = (query: Record<string, string>) => `${paths.documents.users}?${new URLSearchParams(query)}`;

/** Returns a filled database. Filling takes minutes, so the file is reused until there is a new migration. */
async function filledSqlite(): Promise<string> {
  const version = Object.keys(migrations).at(-1);
  const cache = path.join(import.meta.dirname, '../../node_modules/.cache/bench');
  const file = path.join(cache, `${people}-people-${version}.sqlite`);
  if (existsSync(file)) return file;
  const unfinished = path.join(cache, 'unfinished');
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  const database = connect({ dataDir: unfinished, databaseUrl: undefined });
  await migrate(database);
  await fillUsers(database, people);
  await sql`pragma wal_checkpoint(truncate)`.execute(database);
  await database.destroy();
  await copyFile(path.join(unfinished, 'acolhe.sqlite'), file);
  await rm(unfinished, { recursive: true, force: true });
  return file;
}
