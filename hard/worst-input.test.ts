import assert from 'node:assert/strict';
import { request } from 'node:http';
import { it } from 'node:test';
import { cpuMicros } from '#bench/subject.ts';
import { charactersOf, findPatterns } from '#checks/regular-expressions.ts';
import { paths } from '#contract/paths.ts';
import { permissions } from '#server/permissions.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { report } from './figures.ts';
import { temporaryFolder } from './machine.ts';

const inputCharacters = 1_000_000;
/** The time limit for one input. A linear search takes a few milliseconds, a quadratic one minutes. */
const longestSearchMs = 2_000;
const mostMillisecondsPerRequest = 10;
const repetitions = 20;
const headerCharacters = 12_000;
const pathCharacters = 900;
const bodyCharacters = 15_000;

const patterns = findPatterns();
const characters = new Set(patterns.flatMap((pattern) => [...charactersOf(pattern)]));

it(`every regular expression searches ${inputCharacters} of its worst characters in time`, () => {
  let longest = 0;
  for (const pattern of patterns) {
    const { source, flags, place } = pattern;
    for (const character of charactersOf(pattern)) {
      const input = `${character.repeat(inputCharacters)}\0`;
      const started = performance.now();
      for (const _ of input.matchAll(new RegExp(source, `${flags.replace(/[gy]/g, '')}g`)));
      const took = performance.now() - started;
      assert.ok(took < longestSearchMs, `${place} /${source}/ ${character}: ${took} ms`);
      longest = Math.max(longest, took);
    }
  }
  report(
    `${patterns.length} regular expressions, 1 MB of the worst input`,
    `${longest.toFixed(0)} ms`,
    `${longestSearchMs} ms`,
  );
});

it(`no request of a visitor takes the server more than ${mostMillisecondsPerRequest} ms of processor time`, async (t) => {
  const server = await startServerProcess(await temporaryFolder(t));
  t.after(() => server.kill());
  const strangers = Object.keys(permissions).filter((row) => permissions[row] === 'everyone');
  let worst = { ms: 0, what: '' };
  // Requests every route once, so that the measurement does not include loading its code.
  for (const row of strangers) await sendTo(row, 'a');
  for (const character of characters) {
    for (const row of strangers) {
      const before = await cpuMicros(server.pid);
      await Promise.all(Array.from({ length: repetitions }, () => sendTo(row, character)));
      const ms = ((await cpuMicros(server.pid)) - before) / 1_000 / repetitions;
      if (ms > worst.ms) worst = { ms, what: `${row} with ${JSON.stringify(character)}` };
    }
  }
  t.diagnostic(worst.what);
  report(
    'a request with the worst input, processor time',
    `${worst.ms.toFixed(1)} ms (${worst.what})`,
    `${mostMillisecondsPerRequest} ms`,
  );
  assert.ok(worst.ms <= mostMillisecondsPerRequest, `${worst.what}: ${worst.ms} ms`);
  assert.equal((await fetch(server.url + paths.auth.methods)).status, 200);

  /** Repeats the character in the path, the query, the headers and the body of one request. */
  async function sendTo(row: string, character: string) {
    const [method = '', route = ''] = row.split(' ');
    const repeated = (length: number) => character.repeat(length);
    const inUrl = encodeURIComponent(character);
    const part = inUrl.repeat(Math.floor(pathCharacters / 2 / inUrl.length));
    const inHeader = /^[\x21-\x7e]$/.test(character) ? repeated(headerCharacters / 6) : 'a';
    const body = JSON.stringify({
      ...{
        email: `${repeated(bodyCharacters / 3)}@a`,
        displayName: repeated(bodyCharacters / 3),
        consent: true,
      },
      ...{ password: repeated(100), token: repeated(bodyCharacters / 6), code: repeated(20) },
    });
    const headers = {
      ...{ origin: server.url, cookie: `a=${inHeader}`, range: `bytes=${inHeader}` },
      ...{ 'if-none-match': inHeader, 'accept-encoding': inHeader, authorization: `Bearer ${inHeader}` },
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    };
    const response = Promise.withResolvers<void>();
    const sent = request(
      `${server.url}${route.replace(/:\w+|\*/, `a${part}b`)}?token=${part}`,
      { method, headers },
      (received) => received.resume().once('close', response.resolve),
    );
    sent.once('error', response.reject).end(method === 'GET' ? undefined : body);
    await response.promise;
  }
});
