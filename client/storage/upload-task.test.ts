import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { digestOf, startScriptedServer } from '../testing/scripted-server.ts';
import { storageAt } from '../testing/storage-at.ts';
import { createPlainDevice } from './device.ts';
import { StorageError } from './storage-error.ts';
import type { UploadSnapshot, UploadTask } from './upload-task.ts';

const path = 'postAudios/mind/a';
const quarter = 262_144;

/** Bytes that differ everywhere, so that a part sent twice or left out shows. */
function fileOf(bytes: number): Blob {
  const content = new Uint32Array(Math.ceil(bytes / 4)).map((_, place) => place * 2_654_435_761);
  return new Blob([new Uint8Array(content.buffer, 0, bytes)], { type: 'audio/mpeg' });
}
const bytesOf = async (file: Blob) => Buffer.from(await file.arrayBuffer());

/** A device that does not wait, and writes down how long it should have. */
function patientDevice() {
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  return { waits, device: { ...createPlainDevice(fetch), wait } };
}

const until = (task: UploadTask, state: UploadSnapshot['state']) =>
  new Promise<void>((resolve) => {
    task.observe({ next: (snapshot) => snapshot.state === state && resolve() });
  });

const codeOf = async (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(
    () => 'no error',
    (error: unknown) => (error instanceof StorageError ? error.code : String(error)),
  );

test('a small file goes in one request, with its metadata and checksum', async (t) => {
  const server = await startScriptedServer(t);
  const file = fileOf(quarter);
  const stored = await storageAt(server).upload(path, file);
  assert.equal(stored.sha256, digestOf(await bytesOf(file)));
  assert.deepEqual(server.kinds(), ['whole']);
  assert.deepEqual(server.files.get(path), await bytesOf(file));
  assert.equal(server.seen[0]?.headers.authorization, 'Bearer bearer-1');
});

test('a larger file goes in chunks that double and stay below 32 MiB', async (t) => {
  const server = await startScriptedServer(t);
  const file = fileOf(80 * 1024 * 1024 + 5);
  await storageAt(server).upload(path, file);
  assert.ok((await bytesOf(file)).equals(server.files.get(path) ?? Buffer.alloc(0)));
  const chunks = server.seen.filter(({ kind }) => kind === 'chunk').map(({ bytes }) => bytes / quarter);
  assert.deepEqual(chunks.slice(0, 9), [1, 2, 4, 8, 16, 32, 64, 64, 64]);
  assert.deepEqual(server.kinds().slice(0, 2), ['start', 'chunk']);
  assert.equal(server.kinds().at(-1), 'metadata');
});

test('all calls of one upload carry the same app-check token, two uploads carry two', async (t) => {
  const server = await startScriptedServer(t);
  const storage = storageAt(server);
  await storage.upload(path, fileOf(quarter * 4));
  await storage.upload('postAudios/mind/b', fileOf(10));
  const tokens = server.seen.map(({ headers }) => headers['x-app-check']);
  assert.deepEqual(new Set(tokens.slice(0, -1)), new Set(['check-1']));
  assert.equal(tokens.at(-1), 'check-2');
});

for (const [what, script, kinds] of [
  ['a bearer', { chunk: [{ status: 401, code: 'storage/unauthenticated' }] }, ['bearer-2', 'check-1']],
  [
    'an app-check token',
    { chunk: [{ status: 401, code: 'storage/unauthorized-app' }] },
    ['bearer-1', 'check-2'],
  ],
] as const)
  test(`${what} that is refused is renewed once, and nobody notices`, async (t) => {
    const server = await startScriptedServer(t, structuredClone(script) as object);
    await storageAt(server).upload(path, fileOf(quarter * 2));
    const last = server.seen.at(-1)?.headers;
    assert.deepEqual([last?.authorization, last?.['x-app-check']], [`Bearer ${kinds[0]}`, kinds[1]]);
  });

test('an upload whose offset is not the server’s asks for it and goes on', async (t) => {
  const server = await startScriptedServer(t);
  const { device } = patientDevice();
  const send: typeof device.send = (request) => {
    if (request.method === 'PATCH' && server.kinds().length === 2) server.loseBytes(1_000);
    return device.send(request);
  };
  const file = fileOf(quarter * 5);
  await storageAt(server, { device: { ...device, send } }).upload(path, file);
  assert.deepEqual(server.kinds().slice(0, 4), ['start', 'chunk', 'chunk', 'query']);
  assert.ok(server.files.get(path)?.equals(await bytesOf(file)));
});

test('a lost answer to the last chunk is found out: the file is there', async (t) => {
  const server = await startScriptedServer(t);
  const { device } = patientDevice();
  const send: typeof device.send = async (request) => {
    const answer = await device.send(request);
    if (request.headers['repr-digest'] && server.kinds().filter((kind) => kind === 'query').length === 0)
      throw new Error('The answer was lost.');
    return answer;
  };
  const stored = await storageAt(server, { device: { ...device, send } }).upload(path, fileOf(quarter + 7));
  assert.equal(stored.sizeBytes, quarter + 7);
  assert.deepEqual(server.kinds().filter((kind) => kind === 'chunk').length, 2);
});

test('a lost answer to a small file is found out: files never change, and this one is there', async (t) => {
  const server = await startScriptedServer(t, { whole: [undefined, 403] });
  const { device } = patientDevice();
  const send: typeof device.send = async (request) => {
    const answer = await device.send(request);
    if (server.kinds().length === 1) throw new Error('The answer was lost.');
    return answer;
  };
  const stored = await storageAt(server, { device: { ...device, send } }).upload(path, fileOf(9));
  assert.equal(stored.sizeBytes, 9);
  assert.deepEqual(server.kinds(), ['whole', 'whole', 'metadata']);
});

test('a server that has every byte and not the word that completes them gets that word', async (t) => {
  const server = await startScriptedServer(t);
  const { device } = patientDevice();
  const file = fileOf(quarter + 7);
  let lost = false;
  const send: typeof device.send = async ({ headers, ...request }) => {
    if (!headers['repr-digest'] || lost) return device.send({ ...request, headers });
    lost = true;
    const { 'repr-digest': _, ...rest } = headers;
    await device.send({ ...request, headers: rest });
    throw new Error('The server was killed.');
  };
  await storageAt(server, { device: { ...device, send } }).upload(path, file);
  assert.ok(server.files.get(path)?.equals(await bytesOf(file)));
  assert.equal(server.seen.filter(({ kind }) => kind === 'chunk').at(-1)?.bytes, 0);
});

test('the same file chosen again after a reload goes on where it stopped', async (t) => {
  const server = await startScriptedServer(t);
  const { device } = patientDevice();
  const content = await bytesOf(fileOf(quarter * 5));
  const choose = () => new File([content], 'respirar.mp3', { type: 'audio/mpeg', lastModified: 1 });
  const drop = server.hold('chunk');
  const before = storageAt(server, { device });
  const chosen = before.choosePath('postAudios/mind', choose());
  const task = before.upload(chosen, choose());
  await server.reached('chunk');
  drop();
  await server.reached('chunk', 2);
  task.pause();
  await until(task, 'paused');
  const bytesThere = [...server.uploads.values()][0]?.bytes.length ?? 0;
  assert.ok(bytesThere > 0);

  const after = storageAt(server, { device });
  assert.equal(after.choosePath('postAudios/mind', choose()), chosen);
  assert.notEqual(after.choosePath('postAudios/move', choose()), chosen);
  const shown: number[] = [];
  const again = after.upload(chosen, choose());
  again.observe({ next: ({ bytesTransferred }) => shown.push(bytesTransferred) });
  await again;
  assert.equal(shown[1], bytesThere);
  assert.ok(server.files.get(chosen)?.equals(content));
  assert.equal(server.kinds().filter((kind) => kind === 'start').length, 1);
  assert.notEqual(after.choosePath('postAudios/mind', choose()), chosen, 'what has ended is forgotten');
});

test('an upload of an earlier page that is over by now begins anew', async (t) => {
  const server = await startScriptedServer(t);
  const { device } = patientDevice();
  const first = storageAt(server, { device }).upload(path, fileOf(quarter * 3));
  await server.reached('start');
  first.pause();
  await until(first, 'paused');
  server.uploads.clear();
  assert.equal(await codeOf(storageAt(server, { device }).upload(path, fileOf(quarter * 3))), 'no error');
  assert.equal(server.kinds().filter((kind) => kind === 'start').length, 2);
});

test('an upload that is over while it was paused fails, and the next try begins anew', async (t) => {
  const server = await startScriptedServer(t);
  const storage = storageAt(server);
  const file = fileOf(quarter * 3);
  const task = storage.upload(path, file);
  await server.reached('chunk');
  task.pause();
  await until(task, 'paused');
  server.uploads.clear();
  task.resume();
  assert.equal(await codeOf(task), 'object-not-found');
  assert.equal(await codeOf(storage.upload(path, file)), 'no error');
});

test('a cancelled upload is removed from the server and from the device', async (t) => {
  const server = await startScriptedServer(t);
  const storage = storageAt(server);
  const file = fileOf(quarter * 3);
  const task = storage.upload(storage.choosePath('postAudios/mind', file), file);
  await server.reached('chunk');
  task.cancel();
  assert.equal(await codeOf(task), 'canceled');
  await server.reached('cancel');
  assert.equal(server.uploads.size, 0);
  assert.notEqual(storage.choosePath('postAudios/mind', file), task.path);
});

test('waits start at a second, double with jitter up to a factor of 64, and start again after a success', async (t) => {
  const { waits, device } = patientDevice();
  const fails = (count: number) => Array.from({ length: count }, () => 503);
  const server = await startScriptedServer(t, { chunk: [...fails(9), undefined, ...fails(2)] });
  await storageAt(server, { device }).upload(path, fileOf(quarter + 9));
  assert.equal(waits.length, 11);
  const factors = [1, 2, 4, 8, 16, 32, 64, 64, 64, 1, 2];
  for (const [place, factor] of factors.entries()) {
    const ratio = (waits[place] ?? 0) / 1_000 / factor;
    assert.ok(ratio >= 1 && ratio < 1.5, `${waits[place]} ms for ${factor}`);
  }
});

const statuses = [
  [408, true],
  [429, true],
  [500, true],
  [503, true],
  [599, true],
  [400, false],
  [404, false],
  [409, false],
  [423, false],
] as const;
for (const [status, retried] of statuses)
  test(`${status} is ${retried ? '' : 'not '}tried again`, async (t) => {
    const server = await startScriptedServer(t, { metadata: [status] });
    server.files.set(path, Buffer.from('x'));
    const { waits, device } = patientDevice();
    const code = await codeOf(storageAt(server, { device }).getMetadata(path));
    assert.equal(code === 'no error', retried);
    assert.equal(waits.length, retried ? 1 : 0);
  });

test('tells of every delay and its reason', async (t) => {
  const server = await startScriptedServer(t, { chunk: [0, { status: 507, code: 'server/storage-full' }] });
  const { device } = patientDevice();
  const told: unknown[] = [];
  const task = storageAt(server, { device }).upload(path, fileOf(quarter + 1));
  task.observe({ delay: ({ status, serverCode }) => told.push([status, serverCode]) });
  await task;
  assert.deepEqual(told, [
    [0, undefined],
    [507, 'server/storage-full'],
  ]);
});

test('an observer that was removed hears nothing more', async (t) => {
  const server = await startScriptedServer(t);
  const task = storageAt(server).upload(path, fileOf(10));
  const heard: string[] = [];
  const leave = task.observe({ next: () => heard.push('next'), complete: () => heard.push('complete') });
  leave();
  await task;
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(heard, []);
});

test('download address, metadata and deletion', async (t) => {
  const server = await startScriptedServer(t);
  const storage = storageAt(server);
  await storage.upload(path, fileOf(10));
  assert.equal(await storage.getDownloadUrl(path), `/files/${path}?token=t`);
  assert.equal((await storage.getMetadata(path)).sizeBytes, 10);
  await storage.delete(path);
  assert.equal(await codeOf(storage.getMetadata(path)), 'object-not-found');
});

type Script = Parameters<typeof startScriptedServer>[1];
type Try = (storage: ReturnType<typeof storageAt>, t: TestContext) => PromiseLike<unknown> | unknown;

const small: Try = (storage) => storage.upload(path, fileOf(10));
const large: Try = (storage) => storage.upload(path, fileOf(quarter + 10));
const wrongly = { path, sizeBytes: 3, contentType: 'a/b', sha256: digestOf(Buffer.from('x')), createdAt: 1 };
const instead = (body: unknown) => ({ status: 200, body: JSON.stringify(body) });

/** How each code that this library can give comes about; docs/storage-errors.md names the others. */
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
  ['invalid-checksum', 'what the server says', { chunk: [named('storage/invalid-checksum')] }, large],
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
    'an answer without one',
    { url: [instead({ url: '' })] },
    (one) => one.getDownloadUrl(path),
  ],
  ['internal-error', 'metadata that is none', { whole: [instead({})] }, small],
  [
    'internal-error',
    'a chunk that got nowhere',
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
    'an upload at another address',
    { start: [{ status: 201, headers: { location: 'https://elsewhere.example/upload/1' } }] },
    large,
  ],
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
    assert.equal(await codeOf((async () => attempt(storage, t))()), code);
  });

test('three messages are those of the specification, and none leaves the path open', () => {
  const message = (code: StorageError['code']) => new StorageError(code, 'a/b').message;
  assert.equal(
    message('unauthenticated'),
    "User is not authenticated, please authenticate using the provider's authentication and try again.",
  );
  assert.equal(message('unauthorized'), "User does not have permission to access 'a/b'.");
  assert.equal(message('object-not-found'), "Object 'a/b' does not exist.");
});

test('keeps what the server called it beside the code', async (t) => {
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

/** A file whose bytes are gone when they are read. */
function changedFile(): Blob {
  const file = fileOf(quarter * 2);
  file.slice = () => new Blob([]);
  return file;
}
