import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { initializeApp } from '@firebase/app';
import { connectStorageEmulator, getStorage, ref, uploadBytesResumable } from '@firebase/storage';
import { type ScriptedServer, startScriptedServer } from '../testing/scripted-server.ts';
import { storageAt } from '../testing/storage-at.ts';

/*
 * Each scenario runs one upload with @firebase/storage and one with this client, on servers with the same
 * script. The observers of both uploads must receive the same events.
 * In Node, neither library knows how many bytes of a request are sent, so both report them after the
 * response.
 * @firebase/storage cannot abort a request in Node, so the server breaks the connection for both libraries.
 */

/** The methods that an upload task has in this client and in @firebase/storage. */
type AnyTask = { pause(): boolean; resume(): boolean; cancel(): boolean };

type Scenario = {
  bytes: number;
  script?: Parameters<typeof startScriptedServer>[1];
  /** Pauses, resumes or cancels the upload. The test also compares the lines that this function logs. */
  act?: (task: AnyTask, server: ScriptedServer, log: Log) => Promise<void>;
};
type Log = {
  lines: string[];
  add(line: unknown): void;
  /** Resolves once the log has a line that starts with `start`. */
  has(start: string): Promise<void>;
};

const quarter = 262_144;

const scenarios: Record<string, Scenario> = {
  'a small file': { bytes: 1_000 },
  'the largest small file': { bytes: quarter },
  'the smallest large file': { bytes: quarter + 1 },
  'chunks that double': { bytes: quarter * 9 },
  'the end exactly at the end of a chunk': { bytes: quarter * 3 },
  'pause in the middle of a chunk, and resume': {
    bytes: quarter * 4,
    async act(task, server, log) {
      const drop = server.hold('chunk');
      await server.reached('chunk');
      log.add(['pause', task.pause(), 'again', task.pause()]);
      drop();
      await log.has('next paused');
      log.add(['pause', task.pause(), 'resume', task.resume(), 'again', task.resume()]);
    },
  },
  'resume before the paused run has stopped: observers receive no event': {
    bytes: quarter * 4,
    async act(task, server, log) {
      const drop = server.hold('chunk');
      await server.reached('chunk');
      log.add(['pause', task.pause(), 'resume', task.resume()]);
      drop();
    },
  },
  'bytes go down when the server has lost some': {
    bytes: quarter * 6,
    async act(task, server, log) {
      await server.reached('chunk', 1);
      const drop = server.hold('chunk');
      await server.reached('chunk', 2);
      task.pause();
      drop();
      await log.has('next paused');
      server.loseBytes(1_000);
      task.resume();
    },
  },
  'cancel while running': {
    bytes: quarter * 4,
    async act(task, server, log) {
      const drop = server.hold('chunk');
      await server.reached('chunk');
      log.add(['cancel', task.cancel(), 'again', task.cancel(), 'pause', task.pause()]);
      drop();
      await log.has('error canceled');
      log.add(['pause', task.pause(), 'resume', task.resume(), 'cancel', task.cancel()]);
    },
  },
  'cancel while pausing': {
    bytes: quarter * 4,
    async act(task, server) {
      const drop = server.hold('chunk');
      await server.reached('chunk');
      task.pause();
      task.cancel();
      drop();
    },
  },
  'a paused upload is not cancelled, a resumed one is': {
    bytes: quarter * 4,
    async act(task, server, log) {
      const drop = server.hold('chunk');
      await server.reached('chunk');
      task.pause();
      drop();
      await log.has('next paused');
      log.add(['cancel', task.cancel(), 'resume', task.resume(), 'cancel', task.cancel()]);
    },
  },
  'cancel a small file': {
    bytes: 1_000,
    async act(task, server) {
      const drop = server.hold('whole');
      await server.reached('whole');
      task.cancel();
      drop();
    },
  },
  'pause and resume a small file': {
    bytes: 1_000,
    async act(task, server, log) {
      const drop = server.hold('whole');
      await server.reached('whole');
      task.pause();
      drop();
      await log.has('next paused');
      task.resume();
    },
  },
  'no action has an effect after success': {
    bytes: 1_000,
    async act(task, _, log) {
      await log.has('complete');
      log.add(['pause', task.pause(), 'resume', task.resume(), 'cancel', task.cancel()]);
    },
  },
  'no permission': { bytes: 1_000, script: { whole: [403] } },
  'no permission for a large file': { bytes: quarter + 1, script: { start: [403] } },
  'the quota is used up': { bytes: quarter + 1, script: { start: [402] } },
  'not signed in': { bytes: quarter + 1, script: { start: [401, 401] } },
  'a refusal in the middle': { bytes: quarter * 3, script: { chunk: [undefined, 403] } },
  'a refusal with status 400': { bytes: quarter + 1, script: { start: [400] } },
  'a temporary failure of a small file': { bytes: 1_000, script: { whole: [503] } },
  'a temporary failure of the start': { bytes: quarter + 1, script: { start: [429] } },
  'a temporary failure of a chunk': { bytes: quarter * 3, script: { chunk: [undefined, 500] } },
  'a lost connection': { bytes: quarter * 3, script: { chunk: [undefined, 0] } },
};

for (const [name, scenario] of Object.entries(scenarios))
  test(`tells observers what @firebase/storage tells: ${name}`, { concurrency: true }, async (t) => {
    const [theirs, ours] = await Promise.all([
      watch(t, scenario, startTheirs),
      watch(t, scenario, startOurs),
    ]);
    assert.deepEqual(ours, theirs);
    assert.ok(ours.length >= 2, ours.join('\n'));
  });

test('differs on purpose: a missing object has its own error', async (t) => {
  const scenario: Scenario = { bytes: quarter + 1, script: { start: [404] } };
  const [theirs, ours] = await Promise.all([watch(t, scenario, startTheirs), watch(t, scenario, startOurs)]);
  assert.ok(theirs.includes('error unknown'), theirs.join('\n'));
  assert.ok(ours.includes('error object-not-found'), ours.join('\n'));
});

type Listeners = {
  next: (state: string, bytes: number, total: number) => void;
  error: (code: string) => void;
  complete: (...what: unknown[]) => void;
};
type Thenable = { then(resolved: () => void, rejected: () => void): unknown };
type Started = { task: AnyTask & Thenable; attach: (listeners: Listeners) => void };
type Start = (server: ScriptedServer, bytes: Uint8Array<ArrayBuffer>) => Promise<Started>;

/** Records the events of all observers of one upload, and how its promise settles, in order. */
async function watch(t: TestContext, { bytes, script, act }: Scenario, start: Start): Promise<string[]> {
  const server = await startScriptedServer(t, structuredClone(script));
  const log = createLog();
  const { task, attach } = await start(server, new Uint8Array(bytes).fill(7));
  const listenersFor = (who: string): Listeners => ({
    next: (state, sent, total) => log.add(`${who}next ${state} ${sent}/${total}`),
    error: (code) => log.add(`${who}error ${code}`),
    complete: (...what) => log.add(`${who}complete ${what.length}`),
  });
  task.then(
    () => log.add('resolved'),
    () => log.add('rejected'),
  );
  attach(listenersFor(''));
  await act?.(task, server, log);
  await Promise.race([log.has('resolved'), log.has('rejected')]);
  await Promise.race([log.has('complete'), log.has('error')]);
  attach(listenersFor('late '));
  await Promise.race([log.has('late complete'), log.has('late error')]);
  return log.lines;
}

function createLog(): Log {
  const lines: string[] = [];
  const watchers = new Set<() => void>();
  return {
    lines,
    add(line) {
      lines.push(Array.isArray(line) ? line.join(' ') : String(line));
      for (const watcher of watchers) watcher();
    },
    has: (start) =>
      new Promise((resolve) => {
        const look = () => {
          if (lines.some((line) => line.startsWith(start))) resolve();
        };
        watchers.add(look);
        look();
      }),
  };
}

let apps = 0;

const startTheirs: Start = async (server, bytes) => {
  apps += 1;
  const storage = getStorage(initializeApp({ projectId: 'p', storageBucket: 'b' }, `app ${apps}`));
  connectStorageEmulator(storage, '127.0.0.1', server.port);
  const task = uploadBytesResumable(ref(storage, 'postAudios/mind/a'), bytes);
  return {
    task,
    attach: ({ next, error, complete }) =>
      void task.on(
        'state_changed',
        ({ state, bytesTransferred, totalBytes }) => next(state, bytesTransferred, totalBytes),
        ({ code }) => error(code.replace('storage/', '')),
        complete,
      ),
  };
};

const startOurs: Start = async (server, bytes) => {
  const task = storageAt(server).upload('postAudios/mind/a', new Blob([bytes]));
  return {
    task,
    attach: ({ next, error, complete }) =>
      void task.observe({
        next: ({ state, bytesTransferred, totalBytes }) => next(state, bytesTransferred, totalBytes),
        error: ({ code }) => error(code),
        complete,
      }),
  };
};
