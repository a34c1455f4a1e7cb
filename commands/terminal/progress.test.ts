import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgress } from './progress.ts';

test('a command shows its progress after two seconds, and then at most every second', () => {
  const lines: string[] = [];
  let now = 0;
  const output = { isTTY: false, write: (line: string) => lines.push(line) > 0 };
  const progress = createProgress('arquivos', output, () => now);
  for (; now < 4_500; now += 100) progress.show(now, 12_345, now > 3_000 ? 'contas' : undefined);
  progress.end();
  assert.deepEqual(lines, [
    '  2.000 de 12.345 arquivos\n',
    '  3.000 de 12.345 arquivos\n',
    '  4.000 de 12.345 contas\n',
  ]);
});
