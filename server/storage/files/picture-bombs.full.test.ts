import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import sharp from 'sharp';
import { errorBody } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import { pixelFlood } from '#server/testing/pictures.ts';
import { startTestServer, visitorAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { storageOf } from '#server/testing/storage.ts';

const megabyte = 1024 * 1024;

it('a picture of a few bytes and 50 megapixels is refused and uses no server memory', async (t) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'acolhe-bombs-'));
  const server = await startServerProcess(dataDir);
  t.after(async () => {
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  const stranger = visitorAt(server.url, server.url);
  const { user } = await stranger.client.auth.signUp({
    ...{ displayName: 'Rui', email: 'rui@exemplo.com.br', password: 'senha12345' },
  });
  const storage = storageOf(stranger);
  const bombs = [
    { content: await flat(2_000, 2_000, 'avif'), code: 'request/unsupported-type' },
    { content: webpHeader(8_000, 6_250), code: 'request/too-large' },
    { content: pixelFlood(8_000, 6_250), code: 'request/too-large' },
    { content: await flat(2_100, 2_000, 'jpeg'), code: 'request/too-large' },
  ];
  // The first picture makes the server load the libraries, whose memory must not count.
  await storage.send(`profilePics/${user.uid}/primeira`, await flat(100, 100, 'png'));
  const before = residentBytes(server.pid);
  let most = 0;
  const sampling = setInterval(() => {
    most = Math.max(most, residentBytes(server.pid));
  }, 10);
  t.after(() => clearInterval(sampling));
  for (const [index, { content, code }] of bombs.entries()) {
    const response = await storage.send(`profilePics/${user.uid}/bomba${index}`, content);
    assert.equal(errorBody.parse(await response.json()).code, code, `bomb ${index}`);
  }
  assert.ok(most - before < 100 * megabyte, `${Math.round((most - before) / megabyte)} MB more`);
  assert.equal((await stranger.fetch(paths.auth.methods)).status, 200);
});

it('a profile picture has at most four megapixels; the library accepts camera sizes', async (t) => {
  const server = await startTestServer(t, 'sqlite');
  const patient = await server.join();
  const own = storageOf(patient);
  assert.equal(
    (await own.send(`profilePics/${patient.uid}/a`, await flat(2_000, 2_000, 'jpeg'))).status,
    201,
  );
  const admin = storageOf(await server.join('admin'));
  const large = await flat(6_000, 4_000, 'jpeg');
  assert.ok((await admin.upload('postImages/mind/grande', large, 4 * megabyte)).ok);
  const tooLarge = {
    webp: await flat(5_000, 4_000, 'webp'),
    avif: await flat(4_000, 2_100, 'avif'),
    png: pixelFlood(9_000, 6_000),
  };
  for (const [format, content] of Object.entries(tooLarge)) {
    const response = await admin.send(`postImages/mind/${format}`, content);
    assert.equal(errorBody.parse(await response.json()).code, 'request/too-large', format);
  }
});

it('concurrent pictures are prepared one at a time, and a user may have only one in the queue', async (t) => {
  const server = await startTestServer(t, 'sqlite');
  const patient = await server.join();
  const own = storageOf(patient);
  const content = await flat(1_500, 1_500, 'jpeg');
  const sent = await Promise.all(
    Array.from({ length: 5 }, (_, index) => own.send(`profilePics/${patient.uid}/p${index}`, content)),
  );
  const statuses = sent.map(({ status }) => status).sort();
  assert.ok(statuses.filter((status) => status === 201).length >= 2, statuses.join());
  assert.ok(
    statuses.every((status) => status === 201 || status === 503),
    statuses.join(),
  );
});

/** Creates a picture of one colour, which has few bytes at any size. */
async function flat(width: number, height: number, format: 'avif' | 'webp' | 'png' | 'jpeg') {
  const picture = sharp({ create: { width, height, channels: 3, background: '#3a7d6c' } });
  return Uint8Array.from(await picture.toFormat(format, format === 'avif' ? { effort: 0 } : {}).toBuffer());
}

/** Creates a lossless WebP that has only the header, which declares this size. */
function webpHeader(width: number, height: number): Uint8Array<ArrayBuffer> {
  const picture = Buffer.alloc(38);
  picture.write('RIFF', 0, 'latin1');
  picture.writeUInt32LE(30, 4);
  picture.write('WEBPVP8L', 8, 'latin1');
  picture.writeUInt32LE(18, 16);
  picture.writeUInt8(0x2f, 20);
  picture.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 21);
  return Uint8Array.from(picture);
}

/** Returns the memory of a process and its children, in bytes. */
function residentBytes(pid: number): number {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.reduce((sum, name) => {
    const status = readStatus(name);
    const isOurs = name === String(pid) || status.includes(`PPid:\t${pid}\n`);
    return isOurs ? sum + Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024 : sum;
  }, 0);
}

function readStatus(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return ''; // The process has ended.
  }
}
