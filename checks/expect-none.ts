import assert from 'node:assert/strict';

/** Fails if a check has found something. The message begins with the remedy. */
export function expectNone(found: readonly unknown[], remedy: string): void {
  assert.ok(found.length === 0, [remedy, ...found].join('\n  '));
}
