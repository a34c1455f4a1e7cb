import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { releaseWhenSent } from './release.ts';

for (const { what, chunkBytes, count, slowly } of [
  { what: 'large', chunkBytes: 256 * 1024, count: 60, slowly: false },
  { what: 'small', chunkBytes: 4 * 1024, count: 3_000, slowly: false },
  // In this case the response's buffer never fills, so the response emits no `drain`.
  { what: 'small and slow', chunkBytes: 4 * 1024, count: 3_000, slowly: true },
])
  test(`${what} chunks arrive complete, and their memory is freed during sending`, async (t) => {
    const chunks: Buffer[] = [];
    let mostHeld = 0;
    const server = createServer((_request, response) => {
      releaseWhenSent(response);
      Readable.from(
        (async function* () {
          for (let index = 0; index < count; index += 1) {
            if (slowly) await nextTurn();
            const chunk = Buffer.alloc(chunkBytes, index % 251);
            chunks.push(chunk);
            mostHeld = Math.max(mostHeld, chunks.filter(({ length }) => length > 0).length);
            yield chunk;
          }
        })(),
        { highWaterMark: 1 },
      ).pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const got = new Uint8Array(await response.arrayBuffer());
    assert.equal(got.length, count * chunkBytes);
    for (let index = 0; index < count; index += 1)
      assert.equal(got[index * chunkBytes + chunkBytes - 1], index % 251);
    assert.ok(mostHeld < 40, `${mostHeld} of ${count} chunks were held`);
  });
