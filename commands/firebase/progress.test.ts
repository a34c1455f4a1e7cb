import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rewriteAddresses } from './addresses.ts';
import { createProgress } from './progress.ts';

test('a step shows its progress after two seconds, and then at most every two seconds', () => {
  const lines: string[] = [];
  let now = 0;
  const progress = createProgress(
    (line) => lines.push(line),
    () => now,
  );
  for (; now <= 7_000; now += 100) progress('Lendo os arquivos', now, 12_345);
  assert.deepEqual(lines, [
    'Lendo os arquivos: 2.000 de 12.345…',
    'Lendo os arquivos: 4.000 de 12.345…',
    'Lendo os arquivos: 6.000 de 12.345…',
  ]);
});

test('a megabyte of text that is almost an address is read in time in proportion to its length', () => {
  const starts = ['gs://', 'https://', 'gs://a/', 'https%3A%2F%2Fstorage.googleapis.com%2F', 'https://a.b'];
  for (const repeated of [...starts, ...starts.map((start) => `${start}x).,;`), 'a.', '.', ')', '%']) {
    const text = repeated.repeat(Math.ceil(1_000_000 / repeated.length));
    for (const long of [text, `gs://b/${text}`, `https://storage.googleapis.com/b/${text}`]) {
      const started = performance.now();
      rewriteAddresses(
        long,
        () => false,
        () => undefined,
      );
      // It takes some milliseconds, and would take hours if the time grew with the square.
      assert.ok(performance.now() - started < 5_000, repeated);
    }
  }
});
