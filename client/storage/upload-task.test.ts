import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf, startScriptedServer } from '../testing/scripted-server.ts';
import { bytesOf, errorCodeOf, fileOf, patientDevice, storageAt } from '../testing/storage-at.ts';
import type { UploadSnapshot, UploadTask } from './upload-task.ts';

const path = 'postAudios/mind/a';
const quarter = 262_144;

const until = (task: UploadTask, state: UploadSnapshot['state']) =>
  new Promise<void>((resolve) => {
    task.observe({ next: (snapshot) => snapshot.state === state && resolve() });
  });

test('a small file is sent in one request, with its metadata and checksum', async (t) => {
  const server = await startScriptedServer(t);
  const file = fileOf(quarter);
  const stored = await storageAt(server).upload(path, file);
  assert.equal(stored.sha256, digestOf(await bytesOf(file)));
  assert.deepEqual(server.kinds(), ['whole']);
  assert.deepEqual(server.files.get(path), await bytesOf(file));
  assert.equal(server.seen[0]?.headers.authorization, 'Bearer bearer-1');
});

test('a larger file is sent in chunks that double and stay below 32 MiB', async (t) => {
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
  test(`${what} that is refused is renewed once, without an error`, async (t) => {
    const server = await startScriptedServer(t, structuredClone(script) as object);
    await storageAt(server).upload(path, fileOf(quarter * 2));
    const last = server.seen.at(-1)?.headers;
    assert.deepEqual([last?.authorization, last?.['x-app-check']], [`Bearer ${kinds[0]}`, kinds[1]]);
  });

test('a start that failed is sent again with a new app-check token', async (t) => {
  const server = await startScriptedServer(t, { start: [503] });
  const { device } = patientDevice();
  await storageAt(server, { device }).upload(path, fileOf(quarter * 2));
  const starts = server.seen.filter(({ kind }) => kind === 'start');
  assert.deepEqual(
    starts.map(({ headers }) => headers['x-app-check']),
    ['check-1', 'check-2'],
  );
});

test('an upload with a wrong offset asks the server for its offset and continues', async (t) => {
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

test('an upload succeeds when the response to its last chunk is lost', async (t) => {
  const server = await startScriptedServer(t);
  const { device } = patientDevice();
  const send: typeof device.send = async (request) => {
    const response = await device.send(request);
    if (request.headers['repr-digest'] && server.kinds().filter((kind) => kind === 'query').length === 0)
      throw new Error('The response was lost.');
    return response;
  };
  const stored = await storageAt(server, { device: { ...device, send } }).upload(path, fileOf(quarter + 7));
  assert.equal(stored.sizeBytes, quarter + 7);
  assert.deepEqual(server.kinds().filter((kind) => kind === 'chunk').length, 2);
});

test('an upload succeeds when the response to a small file is lost', async (t) => {
  const server = await startScriptedServer(t, { whole: [undefined, 403] });
  const { device } = patientDevice();
  const send: typeof device.send = async (request) => {
    const response = await device.send(request);
    if (server.kinds().length === 1) throw new Error('The response was lost.');
    return response;
  };
  const stored = await storageAt(server, { device: { ...device, send } }).upload(path, fileOf(9));
  assert.equal(stored.sizeBytes, 9);
  assert.deepEqual(server.kinds(), ['whole', 'whole', 'metadata']);
});

test('the same file chosen again after a reload continues where it stopped', async (t) => {
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

test('an upload of an earlier page that the server has ended starts again', async (t) => {
  const server = await startScriptedServer(t);
  const { device } = patientDevice();
  const first = storageAt(server, { device }).upload(path, fileOf(quarter * 3));
  await server.reached('start');
  first.pause();
  await until(first, 'paused');
  server.uploads.clear();
  assert.equal(
    await errorCodeOf(storageAt(server, { device }).upload(path, fileOf(quarter * 3))),
    'no error',
  );
  assert.equal(server.kinds().filter((kind) => kind === 'start').length, 2);
});

test('an upload that ends at the server during a pause fails, and the next attempt starts again', async (t) => {
  const server = await startScriptedServer(t);
  const storage = storageAt(server);
  const file = fileOf(quarter * 3);
  const task = storage.upload(path, file);
  await server.reached('chunk');
  task.pause();
  await until(task, 'paused');
  server.uploads.clear();
  task.resume();
  assert.equal(await errorCodeOf(task), 'object-not-found');
  assert.equal(await errorCodeOf(storage.upload(path, file)), 'no error');
});

test('a cancelled upload is removed from the server and from the device', async (t) => {
  const server = await startScriptedServer(t);
  const storage = storageAt(server);
  const file = fileOf(quarter * 3);
  const task = storage.upload(storage.choosePath('postAudios/mind', file), file);
  await server.reached('chunk');
  task.cancel();
  assert.equal(await errorCodeOf(task), 'canceled');
  await server.reached('cancel');
  assert.equal(server.uploads.size, 0);
  assert.notEqual(storage.choosePath('postAudios/mind', file), task.path);
});

test('an upload that is cancelled after its last chunk leaves no file', async (t) => {
  const server = await startScriptedServer(t);
  const task = storageAt(server).upload(path, fileOf(quarter * 2));
  const drop = server.hold('metadata');
  await server.reached('metadata');
  assert.equal(server.files.size, 1);
  assert.equal(task.cancel(), true);
  drop();
  assert.equal(await errorCodeOf(task), 'canceled');
  await server.reached('delete');
  assert.equal(server.files.size, 0);
  assert.equal(new Set(server.seen.map(({ headers }) => headers['x-app-check'])).size, 1);
});

test('a small upload that is cancelled before its response leaves no file', async (t) => {
  const server = await startScriptedServer(t);
  const { device } = patientDevice();
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const send: typeof device.send = async (request) => {
    const response = await device.send(request);
    if (request.method !== 'POST') return response;
    arrive();
    return new Promise((_, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
    });
  };
  const task = storageAt(server, { device: { ...device, send } }).upload(path, fileOf(9));
  await arrived;
  assert.equal(server.files.size, 1);
  task.cancel();
  assert.equal(await errorCodeOf(task), 'canceled');
  await server.reached('delete');
  assert.equal(server.files.size, 0);
});

test('an upload that cannot continue is removed immediately', async (t) => {
  const server = await startScriptedServer(t, { chunk: [undefined, 403] });
  assert.equal(await errorCodeOf(storageAt(server).upload(path, fileOf(quarter * 3))), 'unauthorized');
  await server.reached('cancel');
  assert.equal(server.uploads.size, 0);
});

test('the remains of a failed upload are removed when the user discards it', async (t) => {
  const server = await startScriptedServer(t, { chunk: [undefined, 402] });
  const storage = storageAt(server);
  const file = fileOf(quarter * 3);
  const task = storage.upload(storage.choosePath('postAudios/mind', file), file);
  assert.equal(await errorCodeOf(task), 'quota-exceeded');
  assert.equal(server.uploads.size, 1);
  await storage.discard(task.path, file);
  assert.equal(server.uploads.size, 0);
  assert.notEqual(storage.choosePath('postAudios/mind', file), task.path);
});

test('delays start at one second, double with jitter up to a factor of 64, and start again after a success', async (t) => {
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
  test(`${status} is ${retried ? '' : 'not '}retried`, async (t) => {
    const server = await startScriptedServer(t, { metadata: [status] });
    server.files.set(path, Buffer.from('x'));
    const { waits, device } = patientDevice();
    const code = await errorCodeOf(storageAt(server, { device }).getMetadata(path));
    assert.equal(code === 'no error', retried);
    assert.equal(waits.length, retried ? 1 : 0);
  });

test('reports every delay and its reason', async (t) => {
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

test('a removed observer receives no more events', async (t) => {
  const server = await startScriptedServer(t);
  const task = storageAt(server).upload(path, fileOf(10));
  const heard: string[] = [];
  const leave = task.observe({ next: () => heard.push('next'), complete: () => heard.push('complete') });
  leave();
  await task;
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(heard, []);
});

test('the server gives the maximum file sizes', async (t) => {
  const storage = storageAt(await startScriptedServer(t));
  assert.deepEqual(await storage.getSizeLimits(), { image: 1, audio: 2, 'profile-picture': 3 });
});

test('a client gets the download URL and the metadata of a file, and deletes the file', async (t) => {
  const server = await startScriptedServer(t);
  const storage = storageAt(server);
  await storage.upload(path, fileOf(10));
  assert.equal(await storage.getDownloadUrl(path), `/files/${path}?token=t`);
  assert.equal((await storage.getMetadata(path)).sizeBytes, 10);
  await storage.delete(path);
  assert.equal(await errorCodeOf(storage.getMetadata(path)), 'object-not-found');
});
