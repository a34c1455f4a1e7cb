import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { paths } from '#contract/paths.ts';
import { type FaultyNetwork, startNetwork } from '#server/testing/peers/network.ts';
import { type SwiftServer, s3Environment, startSwift } from '#server/testing/peers/swift.ts';
import { type TestUser, visitorAt } from '#server/testing/server.ts';
import { type ServerProcess, startServerProcess } from '#server/testing/server-process.ts';
import { mp3, sha256Of, storageOf } from '#server/testing/storage.ts';
import { openS3Store } from './s3.ts';

const clients = 33;
const audio = 'postAudios/mind/respirar';
const content = mp3(100_000);
const wellWithinMs = 5_000;
/** The server makes two attempts of three seconds each, with a pause between them. */
const refusedWithinMs = 10_000;
/** The limit for each route that does not need the store. Users do not notice a shorter delay. */
const restWithinMs = 1_000;
/** The pause of a client between two downloads. A shorter one would measure how busy the processor is. */
const pauseMs = 250;

let swift: SwiftServer;
let network: FaultyNetwork;
const undo: (() => unknown)[] = [];
before(async () => {
  swift = await startSwift();
  undo.push(() => swift.remove());
  network = await startNetwork(
    { after: (step) => void undo.push(step) },
    Number(new URL(swift.endpoint).port),
  );
});
after(async () => {
  for (const step of undo.reverse()) await step();
});

const throughNetwork = () => ({ ...swift, endpoint: `http://127.0.0.1:${network.port}` });

describe(`with S3 and ${clients} downloading clients, storage responds with 503 and other routes work`, () => {
  let server: ServerProcess;
  let admin: TestUser;
  let fileUrl: string;

  before(async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-s3-away-'));
    undo.push(() => rm(dataDir, { recursive: true, force: true }));
    server = await startServerProcess(dataDir, s3Environment(throughNetwork()));
    undo.push(() => server.kill());
    admin = visitorAt(server.url, server.url);
    const account = { displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' };
    await admin.client.auth.signUp(account);
    await admin.client.auth.becomeFirstAdmin(server.firstAdminPath().split('#')[1] ?? '');
    assert.equal((await storageOf(admin).send(audio, content)).status, 201);
    fileUrl = await storageOf(admin).url(audio);
    // The first page makes the server load the renderer, which takes time.
    assert.equal((await fetch(server.url)).status, 200);
  });

  for (const [how, mode] of Object.entries({
    'when it is unreachable': 'refuse',
    'when it fails': 'fail',
    'when its connections end after the headers': 'cut',
    'when it hangs': 'swallow',
  } as const))
    it(how, async (t) => {
      const downloads: { client: number; status: number; begun: number; ended: number }[] = [];
      let over = false;
      const downloading = Array.from({ length: clients }, async (_, client) => {
        while (!over) {
          const begun = performance.now();
          const response = await fetch(server.url + fileUrl);
          // A download breaks off if it is active when the store becomes unreachable.
          const whole = await response.arrayBuffer().catch(() => undefined);
          if (!whole) continue;
          if (response.ok) assert.equal(sha256Of(new Uint8Array(whole)), sha256Of(content));
          downloads.push({ client, status: response.status, begun, ended: performance.now() });
          await wait(pauseMs);
        }
      });
      const everyClient = async (condition: (download: (typeof downloads)[number]) => boolean) => {
        const done = () => new Set(downloads.filter(condition).map(({ client }) => client)).size === clients;
        while (!done()) await Promise.race([wait(20), ...downloading]);
      };

      await everyClient(({ status }) => status === 200);
      const brokenAt = performance.now();
      network.set(mode);
      /** The times at which all routes that need no store had responded. */
      const restedAt: number[] = [];
      let slowestRest = 0;
      const rest = (async () => {
        while (!over) {
          for (const place of ['/readyz', paths.documents.activities('mindActsList'), '/']) {
            const begun = performance.now();
            assert.equal((await fetch(server.url + place)).status, 200);
            slowestRest = Math.max(slowestRest, performance.now() - begun);
          }
          restedAt.push(performance.now());
          await wait(100);
        }
      })();
      const upload = storageOf(admin).start('postAudios/mind/outro', 300_000);
      await everyClient(({ status, begun }) => status === 503 && begun > brokenAt);
      assert.equal((await upload).response.status, 503);
      while (restedAt.length === 0) await Promise.race([wait(20), rest]);
      const returnedAt = performance.now();
      network.set('forward');
      await everyClient(({ status, ended }) => status === 200 && ended > returnedAt);
      const wellAt = performance.now();
      over = true;
      await Promise.all([rest, ...downloading]);

      const refusals = downloads.filter(({ status }) => status === 503);
      const slowest = Math.max(...refusals.map(({ begun, ended }) => ended - begun));
      const firstRefusedAt = Math.min(
        ...refusals.flatMap(({ begun, ended }) => (begun > brokenAt ? ended : [])),
      );
      const rounds = restedAt.filter((at) => at < firstRefusedAt).length;
      t.diagnostic(
        `${refusals.length} refused, the slowest after ${Math.round(slowest)} ms; well ` +
          `${Math.round(wellAt - returnedAt)} ms after its return; the rest within ${Math.round(slowestRest)} ms`,
      );
      assert.deepEqual(
        downloads.filter(({ status }) => status !== 200 && status !== 503),
        [],
        server.log(),
      );
      assert.ok(slowest < refusedWithinMs, `refused after ${slowest} ms`);
      assert.ok(wellAt - returnedAt < wellWithinMs, `well after ${wellAt - returnedAt} ms`);
      assert.ok(slowestRest < restWithinMs, `the rest of the site waited ${slowestRest} ms`);
      if (mode === 'swallow') assert.ok(rounds > 0, 'the rest of the site waited for the store');
      const begun = await storageOf(admin).upload(`postAudios/mind/${mode}`, mp3(300_000));
      assert.equal(begun.status, 204, server.log());
    });

  it('when S3 hangs and the server stops, the process ends in time although downloads and an upload wait', async (t) => {
    const large = mp3(20_000_000);
    const upload = await storageOf(admin).start('postAudios/mind/longo', large.length);
    t.after(() => network.set('forward'));
    network.set('swallow');
    const beforeUpload = network.receivedBytes();
    const patch = storageOf(admin).patch(upload, 0, large.subarray(0, 15_000_000));
    // Waits until the first part of the upload is on its way.
    while (network.receivedBytes() === beforeUpload) await wait(20);
    const beforeDownloads = network.receivedBytes();
    const downloads = Array.from({ length: 5 }, () => fetch(server.url + fileUrl));
    const responses = Promise.allSettled([patch, ...downloads]);
    while (network.receivedBytes() === beforeDownloads) await wait(20);
    const begun = performance.now();
    await server.stop();
    t.diagnostic(`ended within ${Math.round(performance.now() - begun)} ms`);
    for (const response of await responses)
      if (response.status === 'fulfilled') assert.equal(response.value.status, 503);
  });
});

describe('a body from S3', () => {
  const key = randomBytes(20).toString('hex');
  const large = randomBytes(12_000_000);
  const stall = { lookMs: 50, limitMs: 500 };
  before(() => openS3Store(swift).put(key, large));

  it('is not cut off when its reader is slow', async () => {
    const store = openS3Store(throughNetwork(), stall);
    const body = await store.read(key);
    const pieces: Buffer[] = [];
    const read = Promise.withResolvers<void>();
    body.on('data', (piece: Buffer) => {
      pieces.push(Buffer.from(piece));
      if (pieces.length % 100 !== 1) return;
      body.pause();
      // The reader pauses for longer than the store may be silent.
      setTimeout(() => body.resume(), 2 * stall.limitMs);
    });
    body.on('end', read.resolve).on('error', read.reject);
    await read.promise;
    assert.ok(Buffer.concat(pieces).equals(large));
    store.close();
  });

  it('is ended when the store sends no more data', async () => {
    const store = openS3Store(throughNetwork(), stall);
    const body = await store.read(key);
    network.set('swallow');
    await assert.rejects(buffer(body), { name: 'AppError', code: 'server/unavailable' });
    network.set('forward');
    store.close();
  });
});
