import assert from 'node:assert/strict';
import { it } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { paths } from '#contract/paths.ts';
import { pixelFlood } from '#server/testing/pictures.ts';
import { type TestUser, visitorAt } from '#server/testing/server.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { storageOf } from '#server/testing/storage.ts';
import { report } from './figures.ts';
import { residentMegabytes, temporaryFolder } from './machine.ts';

const strangers = 6;
const damagedPictures = 150;
const mostMegabytes = 250;
const sampleMs = 20;

type Bytes = Uint8Array<ArrayBuffer>;

it(`${strangers} strangers who upload hostile pictures at once do not exhaust the memory`, async (t) => {
  const server = await startServerProcess(await temporaryFolder(t), { TRUSTED_PROXIES: 'loopback' });
  t.after(() => server.kill());
  const users = await Promise.all(Array.from({ length: strangers }, (_, index) => join(server.url, index)));
  const pictures = [...(await bombs()), ...(await damaged())];
  const [first] = users;
  await first?.send(await flat(100, 100, 'png'));
  const before = residentMegabytes(server.pid);
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, residentMegabytes(server.pid));
  }, sampleMs);
  t.after(() => clearInterval(sampling));

  const statuses = new Map<number, number>();
  const waiting = pictures.values();
  await Promise.all(
    users.map(async ({ send }) => {
      for (const picture of waiting) {
        const status = await send(picture);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }),
  );
  clearInterval(sampling);
  const growth = most - before;
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  report(
    `${pictures.length} hostile pictures`,
    `+${growth.toFixed(0)} MB (${counts})`,
    `${mostMegabytes} MB`,
  );
  // Allows 503, which asks the client to retry because the server is still preparing another picture.
  assert.deepEqual(
    [...statuses.keys()].filter((status) => status >= 500 && status !== 503),
    [],
  );
  assert.ok(growth < mostMegabytes, `${growth} MB`);
  assert.equal(await first?.send(await flat(100, 100, 'jpeg')), 201, 'a good picture is still accepted');
  assert.equal((await fetch(server.url + paths.auth.methods)).status, 200);
});

async function join(url: string, index: number) {
  const user: TestUser = visitorAt(url, url);
  const { user: account } = await user.client.auth.signUp({
    displayName: `Rui ${index}`,
    email: `rui${index}@exemplo.com.br`,
    password: 'senha12345',
  });
  let sent = 0;
  // Each picture comes from its own IP address, so that no rate limit refuses it.
  const storage = storageOf({
    ...user,
    fetch: (path, init) =>
      user.fetch(path, {
        ...init,
        headers: { ...init?.headers, 'x-forwarded-for': `10.0.${index}.${sent}` },
      }),
  });
  return {
    async send(content: Bytes): Promise<number> {
      sent += 1;
      const response = await storage.send(`profilePics/${account.uid}/foto${sent}`, content);
      await response.body?.cancel();
      return response.status;
    },
  };
}

/** Pictures of few bytes that are large when they are decoded. */
async function bombs(): Promise<Bytes[]> {
  return [
    pixelFlood(8_000, 6_250),
    pixelFlood(65_535, 65_535),
    pixelFlood(2_147_483_647, 2_147_483_647),
    pixelFlood(1, 4_000_000),
    await flat(2_000, 2_000, 'avif'),
    await flat(2_000, 2_000, 'webp'),
    await flat(4_000, 4_000, 'png'),
    await flat(2_000, 2_000, 'png'),
    await flat(2_000, 2_000, 'jpeg'),
    await flat(16_000, 250, 'jpeg'),
    await animation(),
    textBomb(),
  ];
}

/** Valid pictures with random bytes changed, by a fixed pseudo-random sequence. */
async function damaged(): Promise<Bytes[]> {
  const good = await Promise.all(
    (['png', 'jpeg', 'webp', 'avif', 'gif'] as const).map((format) => flat(64, 64, format)),
  );
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % below;
  };
  return Array.from({ length: damagedPictures }, (_, index) => {
    const picture = Uint8Array.from(good[index % good.length] ?? []);
    for (let change = 0; change < 6; change += 1) picture[random(picture.length)] = random(256);
    return picture;
  });
}

async function flat(width: number, height: number, format: 'avif' | 'webp' | 'png' | 'jpeg' | 'gif') {
  const picture = sharp({ create: { width, height, channels: 3, background: '#3a7d6c' } });
  return Uint8Array.from(await picture.toFormat(format, format === 'avif' ? { effort: 0 } : {}).toBuffer());
}

/** A GIF of 40 different frames, each of one megapixel. */
async function animation(): Promise<Bytes> {
  const [side, frames] = [1_000, 40];
  const pixels = Buffer.alloc(side * side * frames);
  for (let frame = 0; frame < frames; frame += 1)
    pixels.fill(frame, frame * side * side, (frame + 1) * side * side);
  const raw = { width: side, height: side * frames, channels: 1 as const, pageHeight: side };
  return Uint8Array.from(await sharp(pixels, { raw }).gif({ effort: 1 }).toBuffer());
}

/** A PNG whose compressed text is 100 MB when it is read. */
function textBomb(): Bytes {
  const picture = Buffer.from(pixelFlood(10, 10));
  const text = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(100_000_000))]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  const headerEnd = 33;
  const chunk = Buffer.concat([length, Buffer.from('zTXt'), text, Buffer.alloc(4)]);
  return Uint8Array.from(Buffer.concat([picture.subarray(0, headerEnd), chunk, picture.subarray(headerEnd)]));
}
