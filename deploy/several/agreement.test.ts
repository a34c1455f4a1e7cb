import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createCookieFetch } from '#client/cookie-fetch.ts';
import { solveChallenge } from '#client/solve-challenge.ts';
import type { Activity } from '#contract/activity.ts';
import { type AppCheckChallenge, appCheckHeader } from '#contract/app-check.ts';
import { paths } from '#contract/paths.ts';
import { tusContentType } from '#contract/storage.ts';
import { report } from '#hard/figures.ts';
import { startPostgres } from '#server/testing/peers/postgres.ts';
import { s3Environment, startSwift } from '#server/testing/peers/swift.ts';
import { sampleActivity } from '#server/testing/samples.ts';
import { visitorAt } from '#server/testing/server.ts';
import { type ServerProcess, startServerProcess } from '#server/testing/server-process.ts';
import { digestHeader, mp3, sha256Of, storageOf } from '#server/testing/storage.ts';

const publicUrl = 'http://localhost:3000';
const json = { 'content-type': 'application/json' };
const password = 'senha12345';

type Fetch = typeof globalThis.fetch;

/** In these tests, each step sends its request to a different instance than the step before. */
describe('three instances agree immediately', () => {
  const undo: (() => Promise<unknown>)[] = [];
  const servers: ServerProcess[] = [];
  let admin: Fetch;

  before(async () => {
    const postgres = await startPostgres();
    undo.push(() => postgres.stop());
    const s3 = await startSwift();
    undo.push(s3.remove);
    for (let index = 0; index < 3; index += 1) {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-agreement-'));
      undo.push(() => rm(dataDir, { recursive: true, force: true }));
      const server = await startServerProcess(dataDir, {
        ...{ DATABASE_URL: postgres.url, ...s3Environment(s3) },
        ...{ PUBLIC_URL: publicUrl, TRUSTED_PROXIES: 'loopback' },
      });
      servers.push(server);
      undo.push(() => server.kill());
    }
  });
  after(async () => {
    for (const step of undo.reverse()) await step();
    report('sessions, rate limits, challenges, lists, pages of 3 instances', 'agree', 'agree');
  });

  const urlOf = (index: number) => servers[index % servers.length]?.url ?? '';
  const signUp = async (email: string) => {
    const jar = new Map<string, string>();
    const visitor = visitorAt(urlOf(0), publicUrl);
    await visitor.client.auth.signUp({ displayName: 'Ana', email, password });
    const fetch = createCookieFetch(publicUrl, jar);
    const signedIn = await postTo(fetch, urlOf(1) + paths.auth.signIn, { email, password });
    assert.equal(signedIn.status, 200);
    return fetch;
  };

  it('on the link for the first admin, which is valid once', async () => {
    const links = new Set(servers.map((server) => server.firstAdminPath()));
    assert.equal(links.size, 1);
    const token = [...links][0]?.split('#')[1];
    const users = await Promise.all(['alice', 'bia', 'caio'].map((name) => signUp(`${name}@exemplo.com.br`)));
    const taken = await Promise.all(
      users.map((fetch, index) => postTo(fetch, urlOf(index) + paths.auth.firstAdmin, { token })),
    );
    assert.equal(taken.filter(({ ok }) => ok).length, 1);
    const winner = users[taken.findIndex(({ ok }) => ok)];
    assert.ok(winner);
    admin = winner;
  });

  it('on sessions: begun on one, used on another, ended on the third', async () => {
    const ana = await signUp('ana@exemplo.com.br');
    for (let index = 0; index < 3; index += 1)
      assert.equal((await ana(urlOf(index) + paths.auth.sessions)).status, 200);
    // The cookies of the thief's browser.
    const jar = new Map<string, string>();
    const thief = createCookieFetch(publicUrl, jar);
    const signedIn = await postTo(thief, urlOf(0) + paths.auth.signIn, {
      email: 'ana@exemplo.com.br',
      password,
    });
    assert.equal(signedIn.status, 200);
    assert.equal((await thief(urlOf(1) + paths.auth.sessions)).status, 200);
    assert.ok((await postTo(ana, urlOf(2) + paths.auth.endOtherSessions, {})).ok);
    for (let index = 0; index < 3; index += 1)
      assert.equal((await thief(urlOf(index) + paths.auth.sessions)).status, 401);
    assert.equal((await ana(urlOf(0) + paths.auth.sessions)).status, 200);
  });

  it('on rate limits: attempts at all instances count together', async () => {
    await signUp('rui@exemplo.com.br');
    const attempts = Array.from({ length: 30 }, (_, index) =>
      postTo(createCookieFetch(publicUrl), urlOf(index) + paths.auth.signIn, {
        ...{ email: 'rui@exemplo.com.br', password: `errada${index}` },
      }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 401).length, 10, String(statuses));
    assert.equal(statuses.filter((status) => status === 429).length, 20, String(statuses));
  });

  it('on challenges and tokens of the app check: each is valid once', async () => {
    const fetch = createCookieFetch(publicUrl);
    const challenge = (await (
      await fetch(urlOf(0) + paths.auth.appCheckChallenge)
    ).json()) as AppCheckChallenge;
    const proof = { challenge, solution: await solveChallenge(challenge) };
    const exchanges = await Promise.all(
      [0, 1, 2].map((index) => postTo(fetch, urlOf(index) + paths.auth.appCheck, proof)),
    );
    assert.deepEqual(exchanges.map(({ status }) => status).sort(), [200, 403, 403]);
    const accepted = exchanges.find(({ ok }) => ok);
    assert.ok(accepted);
    const { token } = (await accepted.json()) as { token: string };
    const subscription = { email: 'ana@exemplo.com.br', consent: true };
    const uses = await Promise.all(
      [0, 1, 2].map((index) =>
        postTo(fetch, urlOf(index) + paths.documents.newsletter, subscription, { [appCheckHeader]: token }),
      ),
    );
    assert.deepEqual(uses.map(({ status }) => status).sort(), [202, 403, 403]);
  });

  it('on lists, activities and the pages of practices', async () => {
    const list = paths.documents.activities('mindActsList');
    const items = paths.documents.activityItems('mindActsList');
    for (let turn = 0; turn < 30; turn += 1) {
      const title = `Uma prática ${turn}`;
      const created = await postTo(admin, urlOf(turn) + items, sampleActivity({ title }));
      assert.equal(created.status, 201);
      const { id } = (await created.json()) as Activity;
      // The second instance caches the list and the page before the edit.
      for (const index of [1, 2]) {
        const read = await (await fetch(urlOf(turn + index) + list)).json();
        assert.match(JSON.stringify(read), new RegExp(title));
        assert.match(await pageOf(turn + index, id), new RegExp(title));
      }
      const item = paths.documents.activityItem('mindActsList', id);
      const edit = (index: number, tag: string) =>
        admin(urlOf(turn + index) + item, {
          ...{ method: 'PUT', headers: { ...json, 'if-match': tag } },
          body: JSON.stringify(sampleActivity({ title: `Mudada ${turn}` })),
        });
      const tag = created.headers.get('etag') ?? '';
      assert.equal((await edit(1, tag)).status, 200);
      assert.equal((await edit(2, tag)).status, 412, 'the tag from before the edit is old everywhere');
      const tags = new Set<string>();
      for (const index of [0, 1, 2]) {
        const read = await fetch(urlOf(turn + index) + list);
        tags.add(read.headers.get('etag') ?? '');
        assert.match(await read.text(), new RegExp(`Mudada ${turn}"`));
        assert.match(await pageOf(turn + index, id), new RegExp(`Mudada ${turn}`));
      }
      assert.equal(tags.size, 1);
    }
  });

  it('on the last admin: two admins who demote each other leave one', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const other = await signUp(`outra${turn}@exemplo.com.br`);
      const [first, second] = [await uidOf(admin), await uidOf(other)];
      assert.equal((await setMember(admin, 0, second, 'admin')).status, 200);
      const demoted = await Promise.all([
        setMember(admin, 1, second, 'no'),
        setMember(other, 2, first, 'no'),
      ]);
      assert.equal(demoted.filter(({ ok }) => ok).length, 1, String(demoted.map(({ status }) => status)));
      if (demoted[1]?.ok) admin = other;
    }
  });

  it('on uploads: an instance is killed in the middle of one, and another continues it', async () => {
    const account = { displayName: 'Lia', email: 'lia@exemplo.com.br', password };
    const uploader = visitorAt(urlOf(0), publicUrl);
    const { user } = await uploader.client.auth.signUp(account);
    assert.equal((await setMember(admin, 1, user.uid, 'admin')).status, 200);
    const storage = storageOf(uploader);
    const content = mp3(6_000_000, 7);
    const begun = await storage.start('postAudios/mind/continua', content.length);
    assert.equal((await storage.patch(begun, 0, content.subarray(0, 2_000_000))).status, 204);
    // Sends a part, and then leaves the request open.
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(content.subarray(2_000_000, 3_000_000)),
    });
    const interrupted = storage.patch(begun, 2_000_000, body, { duplex: 'half' }).then(
      () => assert.fail('the server had not received the end'),
      () => undefined,
    );
    await uploader.fetch('/healthz');
    await servers[0]?.kill();
    await interrupted;

    const ask = (method: string, init: RequestInit = {}) =>
      fetch(urlOf(1) + begun.url, {
        ...{ ...init, method },
        headers: { ...begun.headers, origin: publicUrl, ...(init.headers as Record<string, string>) },
      });
    const offset = Number((await ask('HEAD')).headers.get('upload-offset'));
    assert.ok(offset >= 2_000_000, 'what was acknowledged is kept');
    const rest = await ask('PATCH', {
      body: content.subarray(offset),
      headers: {
        ...{ 'content-type': tusContentType, 'upload-offset': String(offset) },
        ...digestHeader(content),
      },
    });
    assert.equal(rest.status, 204, await rest.text());
    const reader = visitorAt(urlOf(2), publicUrl);
    await reader.client.auth.signIn({ email: account.email, password });
    const file = await reader.fetch(await storageOf(reader).url('postAudios/mind/continua'));
    assert.equal(sha256Of(new Uint8Array(await file.arrayBuffer())), sha256Of(content));
    report('an upload continues on another instance, bytes', 'equal', 'equal');
  });

  async function pageOf(index: number, id: string): Promise<string> {
    const response = await fetch(`${urlOf(index)}/practices/${id}`);
    assert.equal(response.status, 200);
    return response.text();
  }

  async function uidOf(fetch: Fetch): Promise<string> {
    const { user } = (await (await fetch(urlOf(0) + paths.auth.session)).json()) as { user: { uid: string } };
    return user.uid;
  }

  const setMember = (fetch: Fetch, index: number, uid: string, member: 'admin' | 'no') =>
    fetch(urlOf(index) + paths.documents.user(uid), {
      ...{ method: 'PATCH', headers: json },
      body: JSON.stringify({ member: member === 'no' ? false : member }),
    });
});

function postTo(fetch: Fetch, url: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
}
