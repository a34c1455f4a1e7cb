import assert from 'node:assert/strict';
import { readdir, readFile, rm, truncate } from 'node:fs/promises';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import sharp from 'sharp';
import { errorBody } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import { storageMessages } from '#contract/storage.ts';
import { databaseKinds } from '#server/testing/databases.ts';
import { photo, png } from '#server/testing/pictures.ts';
import { startTestServer } from '#server/testing/server.ts';
import { mp3, sha256Of, storageOf } from '#server/testing/storage.ts';
import { createReadingLimits } from './serve.ts';

const audio = 'postAudios/mind/respirar';
const image = 'postImages/mind/theory/folha';

for (const kind of databaseKinds) {
  describe(`files are read on ${kind}`, () => {
    it('completely, by slow, fast and pipelining readers', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = storageOf(await server.join('admin'));
      const content = mp3(6_000_001);
      await admin.upload(audio, content, 2_000_000);
      const { hostname, port, pathname, search } = new URL(await admin.url(audio), server.url);
      const request = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\n`;
      const readers = [1, 1, 3].map(async (asked, index) => {
        const socket = connect(Number(port), hostname);
        // Pipelining: sends several requests on one connection before the first response.
        socket.write(`${`${request}\r\n`.repeat(asked - 1)}${request}Connection: close\r\n\r\n`);
        const parts: Buffer[] = [];
        for await (const part of socket) {
          parts.push(part as Buffer);
          if (index === 1) await nextTurn();
        }
        const responses = Buffer.concat(parts)
          .toString('latin1')
          .split(/(?=HTTP\/1\.1 200 OK\r\n)/);
        return responses.map((response) =>
          Buffer.from(response.slice(response.indexOf('\r\n\r\n') + 4), 'latin1'),
        );
      });
      const read = (await Promise.all(readers)).flat();
      assert.deepEqual(
        read.map(sha256Of),
        Array.from({ length: 5 }, () => sha256Of(content)),
      );
    });

    it('in ranges, with validators, and with an unlimited cache time', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = storageOf(await server.join('admin'));
      const content = mp3(50_000);
      await admin.send(audio, content);
      const url = await admin.url(audio);
      const read = (headers: Record<string, string> = {}, method = 'GET') =>
        server.visitor.fetch(url, { method, headers });

      const whole = await read();
      const tag = whole.headers.get('etag') ?? '';
      assert.equal(tag, `"${sha256Of(content)}"`);
      const expected = {
        'cache-control': 'public, max-age=31536000, immutable',
        'accept-ranges': 'bytes',
        'content-type': 'audio/mpeg',
        'content-length': '50000',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'same-origin',
      };
      for (const [name, value] of Object.entries(expected))
        assert.equal(whole.headers.get(name), value, name);
      assert.equal(whole.headers.get('set-cookie'), null);
      await whole.arrayBuffer();

      for (const [range, start, end] of [
        ['bytes=0-0', 0, 0],
        ['bytes=10-19', 10, 19],
        ['bytes=49990-', 49_990, 49_999],
        ['bytes=-5', 49_995, 49_999],
        ['bytes=0-999999', 0, 49_999],
        ['bytes=-999999', 0, 49_999],
      ] as const) {
        const part = await read({ range });
        assert.equal(part.status, 206, range);
        assert.equal(part.headers.get('content-range'), `bytes ${start}-${end}/50000`);
        assert.deepEqual(new Uint8Array(await part.arrayBuffer()), content.slice(start, end + 1), range);
      }
      for (const range of ['bytes=50000-', 'bytes=-0']) {
        const none = await read({ range });
        assert.equal(none.status, 416, range);
        assert.equal(none.headers.get('content-range'), 'bytes */50000');
        assert.equal(none.headers.get('cache-control'), 'no-store');
        await none.arrayBuffer();
      }
      for (const range of ['bytes=5-2', 'bytes=a-b', 'lines=0-1', 'bytes=0-1,3-4', 'bytes=']) {
        const ignored = await read({ range });
        assert.equal(ignored.status, 200, range);
        await ignored.arrayBuffer();
      }
      assert.equal((await read({ range: 'bytes=0-1', 'if-range': tag }, 'GET')).status, 206);
      assert.equal((await read({ range: 'bytes=0-1', 'if-range': '"other"' })).status, 200);

      const unchanged = await read({ 'if-none-match': `"other", W/${tag}` });
      assert.equal(unchanged.status, 304);
      assert.equal(await unchanged.text(), '');
      const head = await read({}, 'HEAD');
      assert.equal(head.status, 200);
      assert.equal(head.headers.get('content-length'), '50000');
    });

    it('as far as they are stored: a truncated one ends the connection at once, a missing one gives 404', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = storageOf(await server.join('admin'));
      await admin.send(audio, mp3(50_000));
      const url = await admin.url(audio);
      const folder = join(server.dataDir, 'files');
      const [name = ''] = (await readdir(folder, { recursive: true })).filter((one) => one.length > 40);
      for (const left of [20_000, 0]) {
        await truncate(join(folder, name), left);
        const broken = await server.visitor
          .fetch(url)
          .then((response) => response.arrayBuffer())
          .then(
            () => undefined,
            (error: unknown) => error,
          );
        assert.ok(broken instanceof Error, `${left}`);
      }
      const part = await server.visitor
        .fetch(url, { headers: { range: 'bytes=0-9' } })
        .catch(() => undefined);
      assert.equal(part, undefined, 'nothing is left of it');
      await rm(join(folder, name));
      const missing = await server.visitor.fetch(url);
      assert.equal(missing.status, 404);
      assert.equal(missing.headers.get('cache-control'), 'no-store');
      assert.equal(errorBody.parse(await missing.json()).code, 'storage/object-not-found');
    });

    it('as profile pictures, which no shared cache keeps and every reader revalidates', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join();
      const path = `profilePics/${ana.uid}/foto`;
      const storage = storageOf(ana);
      assert.equal((await storage.send(path, await png())).status, 201);
      const url = await storage.url(path);
      for (const query of ['', '&width=480']) {
        const response = await server.visitor.fetch(url + query);
        await response.arrayBuffer();
        const tag = response.headers.get('etag') ?? '';
        const again = await server.visitor.fetch(url + query, { headers: { 'if-none-match': tag } });
        assert.equal(again.status, 304);
        for (const { headers } of [response, again])
          assert.equal(headers.get('cache-control'), 'private, no-cache');
      }
      await storage.call(paths.storage.object(path), { method: 'DELETE' });
      assert.equal((await server.visitor.fetch(url)).status, 404);
    });

    it('only with the token, without revealing whether a file exists', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = storageOf(await server.join('admin'));
      await admin.send(audio, mp3(1_000));
      const url = await admin.url(audio);
      const wrong = ['', '?token=', '?token=x', `?token=${url.split('=')[1]}x`, `?token=a&token=b`];
      for (const path of [audio, 'postAudios/mind/nada', '%2e%2e%2fauth-secret', 'a%00b']) {
        for (const query of wrong) {
          const response = await server.visitor.fetch(`/files/${path}${query}`);
          if (query.includes('&')) {
            assert.equal(response.status, 400);
            await response.arrayBuffer();
            continue;
          }
          assert.equal(response.status, 404, path + query);
          assert.equal(response.headers.get('cache-control'), 'no-store');
          const { code, message } = errorBody.parse(await response.json());
          assert.equal(code, 'storage/object-not-found');
          if (path.startsWith('post')) assert.equal(message, storageMessages.objectNotFound(path));
        }
      }
    });

    it('as pictures: rotated by EXIF, in small sizes, without place and time', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = storageOf(await server.join('admin'));
      const original = await photo(1_600, 1_000);
      assert.ok((await sharp(original).metadata()).exif, 'the picture of the test has EXIF data');
      assert.equal((await admin.upload(image, original, 1_000_000, 'image/jpeg')).status, 204);
      const metadata = (await (await admin.metadata(image)).json()) as { width: number; height: number };
      assert.deepEqual([metadata.width, metadata.height], [1_000, 1_600]);
      const url = await admin.url(image);
      const read = async (query: string, accept: string) => {
        const response = await server.visitor.fetch(url + query, { headers: { accept } });
        const content = Buffer.from(await response.arrayBuffer());
        const { format, width, height, exif, xmp, iptc, orientation } = await sharp(content).metadata();
        assert.deepEqual([exif, xmp, iptc, orientation], [undefined, undefined, undefined, undefined]);
        assert.ok(!content.includes('Marca do telefone'));
        return { response, type: response.headers.get('content-type'), format, width, height };
      };
      const full = await read('', '*/*');
      assert.deepEqual([full.type, full.width, full.height], ['image/jpeg', 1_000, 1_600]);
      assert.equal(full.response.headers.get('vary'), null);
      const avif = await read('&width=480', 'image/avif,image/webp,*/*');
      assert.deepEqual([avif.type, avif.format, avif.width], ['image/avif', 'heif', 480]);
      const webp = await read('&width=960', 'image/webp,*/*');
      assert.deepEqual([webp.type, webp.format, webp.width], ['image/webp', 'webp', 960]);
      assert.match(webp.response.headers.get('vary') ?? '', /accept/i);
      const tags = [full, avif, webp].map(({ response }) => response.headers.get('etag'));
      assert.equal(new Set(tags).size, 3);
      assert.equal((await server.visitor.fetch(`${url}&width=481`)).status, 400);

      const folder = join(server.dataDir, 'files');
      const kept = (await readdir(folder, { recursive: true })).filter((name) =>
        /\/[0-9a-f]{40}$/.test(name),
      );
      assert.equal(kept.length, 1);
      assert.deepEqual(new Uint8Array(await readFile(join(folder, kept[0] ?? ''))), original);
    });
  });
}

it('the networks of one IPv6 site cannot use up the limit of all responses', () => {
  const { begin } = createReadingLimits();
  const open: ServerResponse[] = [];
  const tryToBegin = (network: string) => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    try {
      begin(network, response);
      open.push(response);
      return true;
    } catch {
      return false;
    }
  };
  const networks = Array.from({ length: 8 }, (_, index) => `2001:db8:1:${index}::/64`);
  const begun = networks.map(
    (network) => Array.from({ length: 128 }, () => tryToBegin(network)).filter(Boolean).length,
  );
  assert.deepEqual(begun, [128, 128, 0, 0, 0, 0, 0, 0]);
  assert.ok(tryToBegin('2001:db8:2:0::/64') && tryToBegin('203.0.113.7'));
  open[0]?.emit('close');
  assert.ok(tryToBegin('2001:db8:1:7::/64'));
});
