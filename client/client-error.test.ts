import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unexpectedMessage } from '#contract/unexpected-message.ts';
import { ClientError, hasCode, messageOf } from './client-error.ts';

const notFound = new ClientError('documents/not-found', 'Este documento não existe.');

test('users see the message of a ClientError', () => {
  assert.equal(messageOf(notFound), 'Este documento não existe.');
});

test('any other error is logged, and users see the sentence for unexpected errors', (t) => {
  const log = t.mock.method(console, 'error', () => {});
  const defect = new TypeError('x is undefined');
  assert.equal(messageOf(defect), unexpectedMessage);
  assert.deepEqual(log.mock.calls[0]?.arguments, [defect]);
});

test('only a ClientError has a code', () => {
  assert.equal(hasCode(notFound, 'documents/not-found'), true);
  assert.equal(hasCode(notFound, 'documents/conflict'), false);
  assert.equal(hasCode({ code: 'documents/not-found' }, 'documents/not-found'), false);
});
