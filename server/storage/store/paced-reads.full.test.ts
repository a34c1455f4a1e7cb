import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { createPacedReads } from './paced-reads.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'acolhe-paced-'));
after(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, 'file');
const content = Buffer.from(Array.from({ length: 40_000 }, (_, index) => index % 251));
writeFileSync(file, content);

test('twenty streams together get one chunk per turn of the event loop', async () => {
  const reads = createPacedReads();
  let chunks = 0;
  let most = 0;
  let counting = setImmediate(countTurn);
  function countTurn() {
    most = Math.max(most, chunks);
    chunks = 0;
    counting = setImmediate(countTurn);
  }

  const streams = Array.from({ length: 20 }, () =>
    createReadStream(file, { fs: reads, highWaterMark: 1_000 }),
  );
  for (const stream of streams) stream.on('data', () => (chunks += 1));
  await Promise.all(streams.map((stream) => once(stream, 'end')));
  clearImmediate(counting);

  assert.equal(most, 1);
});

test('every stream gets its own bytes in order, and a part of the file', async () => {
  const reads = createPacedReads();
  const part = { start: 1_234, end: 38_765 };

  const contents = await Promise.all(
    Array.from({ length: 20 }, () =>
      buffer(createReadStream(file, { ...part, fs: reads, highWaterMark: 1_000 })),
    ),
  );

  for (const found of contents) assert.deepEqual(found, content.subarray(part.start, part.end + 1));
});

test('a stream that ends early, or cannot be read, does not block the others', async () => {
  const reads = createPacedReads();
  const ended = Array.from({ length: 5 }, () => createReadStream(file, { fs: reads, highWaterMark: 1_000 }));
  const whole = buffer(createReadStream(file, { fs: reads, highWaterMark: 1_000 }));
  const unreadable = buffer(createReadStream(folder, { fs: reads }));
  for (const stream of ended) stream.once('data', () => stream.destroy());

  await assert.rejects(unreadable, { code: 'EISDIR' });
  assert.deepEqual(await whole, content);
});
