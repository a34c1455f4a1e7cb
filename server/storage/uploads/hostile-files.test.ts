import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { type ErrorCode, errorBody } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import { tusContentType, tusVersion } from '#contract/storage.ts';
import { databaseKinds, isFullLevel } from '#server/testing/databases.ts';
import { pixelFlood, png } from '#server/testing/pictures.ts';
import { startTestServer, type TestServer } from '#server/testing/server.ts';
import { digestHeader, metadataHeader, mp3, sha256Of, storageOf } from '#server/testing/storage.ts';

const image = 'postImages/mind/folha';
const audio = 'postAudios/mind/respirar';

/** Returns the refusal's code. Fails if the message reveals internals, or if the refused file was stored. */
async function refusalOf(response: Response, server: TestServer): Promise<ErrorCode> {
  const { code, message } = errorBody.parse(await response.json());
  assert.ok(response.status >= 400 && response.status < 500, `${response.status} ${code}`);
  assert.ok(!message.includes(server.dataDir) && !/at .*:\d+:\d+/.test(message), message);
  assert.deepEqual(await server.database.selectFrom('files').select('path').execute(), []);
  return code;
}

async function assertNothingStored({ dataDir, database }: TestServer) {
  for (const folder of ['files', 'uploads']) {
    const entries = await readdir(join(dataDir, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    );
    assert.deepEqual(
      entries.filter((entry) => entry.isFile()).map(({ name }) => name),
      [],
    );
  }
  assert.deepEqual(await database.selectFrom('uploads').select('path').execute(), []);
  assert.deepEqual(await database.selectFrom('discardedContents').select('key').execute(), []);
}

const hostilePaths = [
  '',
  '/',
  '..',
  '../../etc/passwd',
  'postImages/mind/../../../etc/passwd',
  'postImages/mind/..%2f..%2fauth-secret',
  'postImages/mind/a/b',
  'postImages/mind/a\0.png',
  'postImages/mind/a\r\nset-cookie: a=b',
  'postImages/mind/a\n',
  'postImages/mind/año',
  'postImages/mind/🙂',
  'postImages/mind/a.svg',
  'postImages/mind/',
  'postImages/outro/a',
  '/postImages/mind/a',
  'postImages//mind/a',
  'postImages\\mind\\a',
  'C:\\postImages',
  'POSTIMAGES/mind/a',
  'profilePics/../a',
  'site/portrait/',
  'site/portrait/../a',
  'site/portrait/a/b',
  'site/outro/a',
  'site/a',
  'SITE/portrait/a',
  `postImages/mind/${'a'.repeat(65)}`,
  'a'.repeat(5_000),
];

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const html = '<!doctype html><script>alert(1)</script>';
const bytes = (content: string | Uint8Array) => Uint8Array.from(Buffer.from(content as string));

for (const kind of databaseKinds) {
  describe(`hostile files on ${kind}`, { concurrency: 2 }, () => {
    const start = async (t: TestContext) => {
      const server = await startTestServer(t, kind);
      const user = await server.join('admin');
      return { server, user, admin: storageOf(user) };
    };

    it('are refused at every path that is not in the contract, however it is spelled', async (t) => {
      const { server, admin } = await start(t);
      for (const path of hostilePaths) {
        const responses = [
          await admin.send(path, mp3(100)),
          await admin.metadata(path),
          await admin.call(paths.storage.downloadUrl(path)),
          await admin.call(paths.storage.object(path), { method: 'DELETE' }),
          (await admin.start(path, 300_000)).response,
        ];
        for (const response of responses) {
          const code = await refusalOf(response, server);
          assert.ok(['storage/invalid-argument', 'request/invalid'].includes(code), `${code}: ${path}`);
        }
      }
      await assertNothingStored(server);
    });

    it('get the type of their content, or are refused', async (t) => {
      const { server, admin } = await start(t);
      const picture = await png();
      const refused: [path: string, content: Uint8Array<ArrayBuffer>, declared: string][] = [
        [image, bytes(svg), 'image/svg+xml'],
        [image, bytes(svg), 'image/png'],
        [image, bytes(`<?xml version="1.0"?>${svg}`), ''],
        [image, bytes(html), 'text/html'],
        [image, bytes(html), 'image/jpeg'],
        [image, picture, 'text/html'],
        [image, mp3(2_000), 'audio/mpeg'],
        [image, bytes('GIF89a\x01\x00\x01\x00'), 'image/gif'],
        [audio, picture, 'audio/mpeg'],
        [audio, bytes(html), 'audio/mpeg'],
        [audio, bytes('%PDF-1.7'), ''],
        [audio, bytes('MZ'.padEnd(5_000, 'x')), ''],
        [audio, bytes('x'), ''],
        ['site/portrait/a', bytes(svg), 'image/svg+xml'],
        ['site/profile/a', mp3(2_000), 'audio/mpeg'],
        ['site/audio/a', picture, 'image/png'],
        ['site/audio/a', bytes(html), 'audio/mpeg'],
      ];
      for (const [path, content, declared] of refused) {
        const small = await admin.send(path, content, { contentType: declared });
        assert.equal(await refusalOf(small, server), 'request/unsupported-type', declared);
        const large = await admin.upload(path, content, 1_000_000, declared);
        assert.equal(await refusalOf(large, server), 'request/unsupported-type', declared);
      }
      // This content begins like a picture and continues with HTML.
      const mixed = bytes(Buffer.concat([Buffer.from(picture.subarray(0, 60)), Buffer.from(html)]));
      const damaged = await admin.send(image, mixed, { contentType: 'image/png' });
      assert.equal(await refusalOf(damaged, server), 'storage/incomplete-file');
      await assertNothingStored(server);
    });

    it('that are valid as two types are served as the harmless one', async (t) => {
      const { server, admin } = await start(t);
      const picture = bytes(Buffer.concat([Buffer.from(await png()), Buffer.from(html)]));
      assert.equal((await admin.send(image, picture)).status, 201);
      const shown = await server.visitor.fetch(await admin.url(image));
      assert.equal(shown.headers.get('content-type'), 'image/png');
      assert.ok(!(await shown.text()).includes('<script>'), 'the served picture was encoded again');

      const tagged = Buffer.concat([Buffer.from(mp3(5_000)), Buffer.from(html)]);
      assert.equal((await admin.send(audio, bytes(tagged), { contentType: 'audio/mpeg' })).status, 201);
      const heard = await server.visitor.fetch(await admin.url(audio));
      assert.equal(heard.headers.get('content-type'), 'audio/mpeg');
      assert.equal(heard.headers.get('x-content-type-options'), 'nosniff');
      assert.match(heard.headers.get('content-security-policy') ?? '', /sandbox/);
    });

    it('are refused, and the connection serves further requests', async (t) => {
      const { server, user, admin } = await start(t);
      const begun = await admin.start(audio, 9_000_000, 'image/png');
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ask = (method: string, path: string, headers: Record<string, string>, body?: Uint8Array) =>
        new Promise<number>((resolve, reject) => {
          const options = { method, agent, headers: { ...headers, origin: server.origin } };
          const sent = request(server.url + path, options, (response) => {
            response.resume().once('end', () => resolve(response.statusCode ?? 0));
          });
          sent.once('error', reject).end(body);
        });
      const headers = { ...begun.headers, 'content-type': tusContentType, 'upload-offset': '0' };
      const part = mp3(8_000_000);
      assert.equal(await ask('PATCH', begun.url, headers, part), 415);
      assert.equal(await ask('HEAD', begun.url, begun.headers), 404);
      agent.destroy();
      assert.equal((await user.fetch('/api/auth/methods')).status, 200);
    });

    it('with too many pixels are refused', async (t) => {
      const { server, admin } = await start(t);
      for (const [width, height] of [
        [30_000, 30_000],
        [2_000_000, 30],
      ] as const) {
        const response = await admin.send(image, pixelFlood(width, height));
        assert.equal(await refusalOf(response, server), 'request/too-large');
      }
      await assertNothingStored(server);
    });

    it('are refused or cut when their length is wrong', async (t) => {
      const { server, user, admin } = await start(t);
      for (const length of ['0', '-1', '1e3', '0x10', ' 5 5', 'NaN', '99999999999999999999', '']) {
        const response = await admin.call(paths.storage.resumable, {
          method: 'POST',
          headers: {
            'tus-resumable': tusVersion,
            'upload-length': length,
            'upload-metadata': metadataHeader({ path: audio, contentType: '' }),
          },
        });
        assert.equal(await refusalOf(response, server), 'storage/invalid-argument', length);
      }
      const tooLong = await admin.start(audio, 500_000_001);
      assert.equal(await refusalOf(tooLong.response, server), 'request/too-large');
      const overSmall = await admin.send(audio, mp3(262_145));
      assert.equal(await refusalOf(overSmall, server), 'request/too-large');
      const huge = await admin.send(audio, mp3(2_000_000));
      assert.equal(await refusalOf(huge, server), 'request/too-large');

      // Sends more bytes than announced, with and without a Content-Length. The stored bytes stay valid.
      const content = mp3(300_000);
      const begun = await admin.start(audio, content.length);
      assert.equal((await admin.patch(begun, 0, content.subarray(0, 100_000))).status, 204);
      const more = bytes(Buffer.alloc(300_000));
      assert.equal(await refusalOf(await admin.patch(begun, 100_000, more), server), 'request/too-large');
      const endless = new ReadableStream({
        start(controller) {
          for (let n = 0; n < 20; n += 1) controller.enqueue(Buffer.alloc(20_000));
          controller.close();
        },
      });
      const chunked = await admin.patch(begun, 100_000, endless, { duplex: 'half' });
      assert.equal(await refusalOf(chunked, server), 'request/too-large');
      const rest = await admin.patch(begun, 100_000, content.subarray(100_000), {
        headers: digestHeader(content),
      });
      assert.equal(rest.status, 204);
      const file = await user.fetch(await admin.url(audio));
      assert.equal(sha256Of(new Uint8Array(await file.arrayBuffer())), sha256Of(content));
    });

    it('are refused in malformed forms', async (t) => {
      const { server, admin } = await start(t);
      const file = () => new Blob([mp3(100)]);
      const metadata = JSON.stringify({ path: audio, contentType: '', sha256: sha256Of(mp3(100)) });
      const forms: ((form: FormData) => void)[] = [
        () => {},
        (form) => form.set('file', file()),
        (form) => form.set('metadata', metadata),
        (form) => {
          form.set('metadata', '{"path": ');
          form.set('file', file());
        },
        (form) => {
          form.set('metadata', JSON.stringify({ path: audio, contentType: '', sha256: 'curto' }));
          form.set('file', file());
        },
        (form) => {
          form.set('metadata', metadata.replace('{', '{"ownerId":"outra",'));
          form.set('file', file());
        },
        (form) => {
          form.set('metadata', metadata.replace('"contentType":""', '"contentType":"a\\u0000b"'));
          form.set('file', file());
        },
        (form) => {
          form.set('metadata', metadata);
          form.set('file', 'no file');
        },
        (form) => {
          form.set('metadata', metadata);
          form.append('file', file());
          form.append('file', file());
        },
      ];
      for (const fill of forms) {
        const body = new FormData();
        fill(body);
        await refusalOf(await admin.call(paths.storage.objects, { method: 'POST', body }), server);
      }
      for (const [type, body] of [
        ['application/json', '{}'],
        ['multipart/form-data', 'no boundary'],
        ['multipart/form-data; boundary=x', '--x\r\nrubbish'],
        ['text/html', html],
      ] as const) {
        const headers = { 'content-type': type };
        await refusalOf(await admin.call(paths.storage.objects, { method: 'POST', headers, body }), server);
      }
      const begun = await admin.start(audio, 300_000);
      const asForm = await admin.patch(begun, 0, mp3(10), { headers: { 'content-type': 'text/plain' } });
      assert.equal(await refusalOf(asForm, server), 'request/unsupported-type');
    });
  });
}

// The server waits ten seconds for the rest of the body.
if (isFullLevel)
  it('a body that stops arriving is ended', async (t) => {
    const server = await startTestServer(t, 'sqlite');
    const admin = storageOf(await server.join('admin'));
    const { url: uploadUrl, headers } = await admin.start(audio, 300_000);
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    const lines = Object.entries({
      ...headers,
      ...{ host: hostname, origin: server.origin, 'content-length': '300000', 'upload-offset': '0' },
      ...{ 'content-type': tusContentType, ...digestHeader(mp3(300_000)) },
    }).map(([name, value]) => `${name}: ${value}`);
    socket.write(`PATCH ${uploadUrl} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    socket.write(mp3(300_000).subarray(0, 50_000));
    const response = await text(socket);
    assert.match(response, /^HTTP\/1\.1 408 /);
    const kept = async () =>
      (await server.database.selectFrom('uploads').select('offsetBytes').executeTakeFirstOrThrow())
        .offsetBytes;
    while ((await kept()) !== 50_000) await new Promise((resolve) => setTimeout(resolve, 20));
  });
