import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { percentile } from '#bench/measure.ts';
import { paths } from '#contract/paths.ts';
import { png } from '#server/testing/pictures.ts';
import { signUpAdmins } from '#server/testing/recorded-writes.ts';
import { sampleActivity } from '#server/testing/samples.ts';
import { visitorAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { mp3, sha256Of, storageOf } from '#server/testing/storage.ts';
import { report } from './figures.ts';
import { openFiles, residentMegabytes, temporaryFolder } from './machine.ts';

const minutes = 20;
/** Enough accounts to keep each of them below the rate limit of an account. */
const signingIn = 25;
const sampleMs = 1_000;
const mostGrowthMegabytes = 48;
const mostMoreFiles = 20;
const mostDataMegabytes = 64;

const json = { 'content-type': 'application/json' };

type Sample = { megabytes: number; files: number };

it(`the server does not grow in ${minutes} minutes of mixed load`, async (t) => {
  const dataDir = await temporaryFolder(t);
  const server = await startServerProcess(dataDir, { TRUSTED_PROXIES: 'loopback' });
  t.after(() => server.kill());
  const { url, pid } = server;
  const admins = await signUpAdmins(url, server.firstAdminPath(), 4);
  const [writer, secondWriter, uploader, reader] = admins;
  assert.ok(writer && secondWriter && uploader && reader);
  const storage = storageOf(uploader);
  const session = (await (await uploader.fetch(paths.auth.session)).json()) as { user: { uid: string } };
  const accounts = Array.from({ length: signingIn }, (_, index) => `rui${index}@exemplo.com.br`);
  const password = 'senha12345';
  for (const email of accounts)
    await visitorAt(url, url).client.auth.signUp({ displayName: 'Rui', email, password });
  for (let count = 0; count < 100; count += 1)
    await writer.client.documents.createActivity(sampleActivity({ title: `Prática ${count}` }));

  const until = Date.now() + minutes * 60_000;
  const pageMs: number[] = [];
  let requests = 0;

  /** Repeats a step, with a pause, until the end. Any error ends the test. */
  async function repeat(pauseMs: number, step: (count: number) => Promise<void>) {
    for (let count = 0; Date.now() < until; count += 1) {
      await step(count);
      requests += 1;
      await setTimeout(pauseMs);
    }
  }
  async function read(address: string, headers: Record<string, string> = {}) {
    const started = performance.now();
    const response = await fetch(url + address, { headers });
    await response.arrayBuffer();
    assert.ok(response.status < 400, `${address} responded with ${response.status}`);
    pageMs.push(performance.now() - started);
    return response;
  }
  async function createEditDelete({ client }: typeof writer & object, axis: 'move' | 'nutri') {
    const created = await client.documents.createActivity(sampleActivity({ axis }));
    const edited = await client.documents.updateActivity(created, sampleActivity({ axis, title: 'Outra' }));
    await client.documents.deleteActivity(edited);
  }

  const samples: Sample[] = [];
  const list = paths.documents.activities('mindActsList');
  let etag = '';
  await Promise.all([
    repeat(40, async () => void (await read('/'))),
    repeat(60, async () => void (await read('/practices'))),
    repeat(60, async () => {
      etag = (await read(list)).headers.get('etag') ?? '';
    }),
    repeat(40, async () => {
      const response = await fetch(url + list, { headers: { 'if-none-match': etag } });
      assert.ok([200, 304].includes(response.status));
      await response.arrayBuffer();
    }),
    repeat(150, () => createEditDelete(writer, 'move')),
    repeat(150, () => createEditDelete(secondWriter, 'nutri')),
    repeat(1_000, async (count) => {
      const content = mp3(400_000 + count, count);
      const name = `postAudios/mind/audio-${count}`;
      assert.equal((await storage.upload(name, content)).status, 204);
      const file = await uploader.fetch(await storage.url(name));
      assert.equal(sha256Of(new Uint8Array(await file.arrayBuffer())), sha256Of(content));
      assert.ok((await storage.call(paths.storage.object(name), { method: 'DELETE' })).ok);
    }),
    repeat(5_000, async () => {
      const sent = await storage.send(`profilePics/${session.user.uid}/foto`, await png(400, 400));
      assert.ok(sent.ok, `${sent.status}`);
    }),
    repeat(1_000, async (count) => {
      const visitor = visitorAt(url, url);
      const signedIn = await visitor.fetch(paths.auth.signIn, {
        method: 'POST',
        // Each sign-in has its own IP address, so that no rate limit refuses it.
        headers: { ...json, 'x-forwarded-for': `10.0.${(count >> 8) & 255}.${count & 255}` },
        body: JSON.stringify({ email: accounts[count % accounts.length], password }),
      });
      assert.equal(signedIn.status, 200);
      await visitor.client.auth.signOut();
    }),
    repeat(500, async () => {
      assert.equal((await reader.fetch(`${paths.documents.users}?search=rui`)).status, 200);
      assert.equal((await reader.fetch(paths.documents.counts)).status, 200);
    }),
    repeat(sampleMs, async () => {
      samples.push({ megabytes: residentMegabytes(pid), files: openFiles(pid) });
    }),
  ]);

  // The first quarter is the warm-up, in which caches fill and V8 compiles the code that runs often.
  const quarter = (number: number) => {
    const length = Math.floor(samples.length / 4);
    const part = samples.slice((number - 1) * length, number * length);
    return {
      megabytes: percentile(
        part.map(({ megabytes }) => megabytes),
        0.5,
      ),
      files: percentile(
        part.map(({ files }) => files),
        0.5,
      ),
    };
  };
  const growth = quarter(4).megabytes - quarter(2).megabytes;
  const moreFiles = quarter(4).files - quarter(2).files;
  const dataMegabytes = bytesIn(dataDir, 'usage-records') / 1e6;
  report(
    `${minutes} minutes of mixed load, ${requests} steps, memory`,
    `${quarter(2).megabytes.toFixed(0)} → ${quarter(4).megabytes.toFixed(0)} MB`,
    `+${mostGrowthMegabytes} MB`,
  );
  report(
    `${minutes} minutes of mixed load, open files`,
    `${quarter(2).files} → ${quarter(4).files}`,
    `+${mostMoreFiles}`,
  );
  report(
    `${minutes} minutes of mixed load, data folder`,
    `${dataMegabytes.toFixed(0)} MB`,
    `${mostDataMegabytes} MB`,
  );
  report(
    `${minutes} minutes of mixed load, p99 of a page beside other attacks`,
    `${percentile(pageMs, 0.99).toFixed(0)} ms`,
  );
  assert.ok(growth < mostGrowthMegabytes, `${growth} MB`);
  assert.ok(moreFiles < mostMoreFiles, `${moreFiles} open files`);
  assert.ok(dataMegabytes < mostDataMegabytes, `${dataMegabytes} MB`);
  await server.stop();
});

/** The size of all files, except those in folders with the name `except`. */
function bytesIn(folder: string, except: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && path.basename(entry.parentPath) !== except)
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}
