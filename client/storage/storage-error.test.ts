import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { storageErrorCodes } from '#contract/storage.ts';
import { digestOf, startScriptedServer } from '../testing/scripted-server.ts';
import { errorCodeOf, fileOf, patientDevice, storageAt } from '../testing/storage-at.ts';
import { sentenceOf } from './sentences.ts';
import { StorageError } from './storage-error.ts';

const path = 'postAudios/mind/a';
const quarter = 262_144;

type Script = Parameters<typeof startScriptedServer>[1];
type Try = (storage: ReturnType<typeof storageAt>, t: TestContext) => PromiseLike<unknown> | unknown;

const small: Try = (storage) => storage.upload(path, fileOf(10));
const large: Try = (storage) => storage.upload(path, fileOf(quarter + 10));
const wrongly = { path, sizeBytes: 3, contentType: 'a/b', sha256: digestOf(Buffer.from('x')), createdAt: 1 };
const instead = (body: unknown) => ({ status: 200, body: JSON.stringify(body) });

/** Cases for each code that this library can throw, except `canceled` (upload-task.test.ts). */
const errors: [code: string, what: string, script: Script, attempt: Try][] = [
  ['unauthenticated', '401', { whole: [401, 401] }, small],
  ['unauthorized-app', '401 for the app check', { whole: [check(), check()] }, small],
  ['quota-exceeded', '402', { start: [402] }, large],
  ['unauthorized', '403', { start: [403] }, large],
  [
    'object-not-found',
    '404',
    {},
    (storage) => storage.getDownloadUrl(path).then(() => storage.getMetadata(path)),
  ],
  ['unknown', 'any other status', { whole: [418] }, small],
  ['invalid-checksum', 'the code of the server', { chunk: [named('storage/invalid-checksum')] }, large],
  [
    'invalid-checksum',
    'another checksum at the server',
    { metadata: [instead({ ...wrongly, sizeBytes: quarter + 10 })] },
    large,
  ],
  ['server-file-wrong-size', 'another size at the server', { metadata: [instead(wrongly)] }, large],
  [
    'invalid-argument',
    'a path that no file can have',
    {},
    (storage) => storage.getMetadata('postAudios/mind/a b'),
  ],
  ['invalid-argument', 'no file', {}, (storage) => storage.upload(path, {} as Blob)],
  ['invalid-root-operation', 'the root', {}, (storage) => storage.delete('/')],
  [
    'no-download-url',
    'a response without a URL',
    { url: [instead({ url: '' })] },
    (one) => one.getDownloadUrl(path),
  ],
  ['internal-error', 'a response without metadata', { whole: [instead({})] }, small],
  [
    'internal-error',
    'a chunk that the server did not store',
    { chunk: [{ status: 204, headers: { 'upload-offset': '0' } }] },
    large,
  ],
  [
    'internal-error',
    'an offset that is refused and then confirmed',
    { chunk: [{ status: 409, code: 'storage/offset-conflict' }] },
    large,
  ],
  [
    'invalid-url',
    'an upload at another URL',
    { start: [{ status: 201, headers: { location: 'https://elsewhere.example/upload/1' } }] },
    large,
  ],
  ['unsupported-environment', 'a browser that is too old', {}, withoutSignals],
  [
    'cannot-slice-blob',
    'a file that changed after it was chosen',
    {},
    (one) => one.upload(path, changedFile()),
  ],
  [
    'retry-limit-exceeded',
    'trouble that does not end',
    { whole: Array.from({ length: 50_000 }, () => 503) },
    small,
  ],
];

for (const [code, what, script, attempt] of errors)
  test(`${code}: ${what}`, async (t) => {
    const server = await startScriptedServer(t, script);
    const { device } = patientDevice();
    const storage = storageAt(server, { device, uploadRetryMs: 100, operationRetryMs: 100 });
    assert.equal(await errorCodeOf((async () => attempt(storage, t))()), code);
  });

test('three messages match the specification, with the path filled in', () => {
  const message = (code: StorageError['code']) => new StorageError(code, 'a/b').message;
  assert.equal(
    message('unauthenticated'),
    "User is not authenticated, please authenticate using the provider's authentication and try again.",
  );
  assert.equal(message('unauthorized'), "User does not have permission to access 'a/b'.");
  assert.equal(message('object-not-found'), "Object 'a/b' does not exist.");
});

test('every code has a sentence for the user', () => {
  for (const code of storageErrorCodes)
    assert.match(sentenceOf(new StorageError(code, path)), /^\p{Lu}.+[.]$/u, code);
});

test('keeps the code of the server as serverCode', async (t) => {
  const tooLarge = { status: 413, code: 'request/too-large' };
  const server = await startScriptedServer(t, { start: [tooLarge] });
  const task = storageAt(server).upload(path, fileOf(quarter + 1));
  await assert.rejects(
    async () => task,
    ({ code, status, serverCode, requestId }: StorageError) => {
      assert.deepEqual([code, status, serverCode, requestId], ['unknown', 413, 'request/too-large', 'r1']);
      return true;
    },
  );
});

function check() {
  return { status: 401, code: 'storage/unauthorized-app' };
}

function named(code: string) {
  return { status: 400, code };
}

/** Removes `AbortSignal.any`, which some browsers from 2023 do not have. */
function withoutSignals(...[storage, t]: Parameters<Try>) {
  const { timeout } = AbortSignal;
  Reflect.deleteProperty(AbortSignal, 'timeout');
  t.after(() => Object.assign(AbortSignal, { timeout }));
  return storage.upload(path, fileOf(10));
}

/** Creates a file whose slices are empty when the upload reads them. */
function changedFile(): Blob {
  const file = fileOf(quarter * 2);
  file.slice = () => new Blob([]);
  return file;
}
