import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StorageError } from './storage-error.ts';
import { eventOf, reduceUpload, type UploadAction, type UploadState } from './upload-state.ts';

const run = new AbortController().signal;
const next = new AbortController().signal;
const earlier = new AbortController().signal;
const canceled = new StorageError('canceled', 'p');
const failure = new StorageError('unauthorized', 'p');
const metadata = { path: 'p', sizeBytes: 9, contentType: 'audio/mpeg', sha256: 's', createdAt: 1 };

const states = {
  running: { name: 'running', run, bytesTransferred: 3 },
  pausing: { name: 'pausing', run, bytesTransferred: 3 },
  paused: { name: 'paused', bytesTransferred: 3 },
  canceling: { name: 'canceling', run, bytesTransferred: 3 },
  canceled: { name: 'canceled', bytesTransferred: 3, error: canceled },
  success: { name: 'success', bytesTransferred: 3, metadata },
  error: { name: 'error', bytesTransferred: 3, error: failure },
} satisfies Record<UploadState['name'], UploadState>;

const actions = {
  pause: { type: 'pause' },
  resume: { type: 'resume', next },
  cancel: { type: 'cancel' },
  progressed: { type: 'progressed', run, bytesTransferred: 5 },
  stopped: { type: 'stopped', run, next, canceled },
  succeeded: { type: 'succeeded', run, metadata },
  failed: { type: 'failed', run, error: failure },
} satisfies Record<UploadAction['type'], UploadAction>;

const nothing = {
  pause: '-',
  resume: '-',
  cancel: '-',
  progressed: '-',
  stopped: '-',
  succeeded: '-',
  failed: '-',
};

/** Lists the next state and the event for observers, for each state and action; `-` means no change. */
const table: Record<UploadState['name'], Record<UploadAction['type'], string>> = {
  running: {
    pause: 'pausing',
    resume: '-',
    cancel: 'canceling',
    progressed: 'running next',
    stopped: 'running',
    succeeded: 'success complete',
    failed: 'error error',
  },
  pausing: {
    pause: '-',
    resume: 'running',
    cancel: 'canceling',
    progressed: 'pausing next',
    stopped: 'paused next',
    succeeded: 'success complete',
    failed: 'error error',
  },
  paused: { ...nothing, resume: 'running next' },
  canceling: {
    pause: '-',
    resume: '-',
    cancel: '-',
    progressed: 'canceling next',
    stopped: 'canceled error',
    succeeded: 'success complete',
    failed: 'error error',
  },
  canceled: nothing,
  success: nothing,
  error: nothing,
};

for (const state of Object.values(states))
  for (const action of Object.values(actions))
    test(`${state.name}, ${action.type}: ${table[state.name][action.type]}`, () => {
      const after = reduceUpload(state, action);
      const told = [after.name, eventOf(state, after)].filter(Boolean).join(' ');
      assert.equal(after === state ? '-' : told, table[state.name][action.type]);
    });

test('every state ignores actions of an earlier run', () => {
  for (const state of Object.values(states))
    for (const action of Object.values(actions))
      if ('run' in action) assert.equal(reduceUpload(state, { ...action, run: earlier }), state);
});

test('a resumed upload continues in a new run, immediately or after the aborted run has stopped', () => {
  assert.deepEqual(reduceUpload(states.paused, actions.resume), { ...states.running, run: next });
  const waiting = reduceUpload(states.pausing, actions.resume);
  assert.deepEqual(waiting, states.running);
  assert.deepEqual(reduceUpload(waiting, actions.stopped), { ...states.running, run: next });
});

test('the byte count changes only when the server reports another one, higher or lower', () => {
  for (const bytesTransferred of [0, 5])
    assert.deepEqual(reduceUpload(states.running, { ...actions.progressed, bytesTransferred }), {
      ...states.running,
      bytesTransferred,
    });
  assert.equal(reduceUpload(states.running, { ...actions.progressed, bytesTransferred: 3 }), states.running);
  assert.equal(reduceUpload(states.pausing, actions.stopped).bytesTransferred, 3);
});
