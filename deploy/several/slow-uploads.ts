import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { digestHeader, mp3, storageOf } from '#server/testing/storage.ts';
import type { Site } from './site.ts';

/** One for each instance: HAProxy sends each request to the instance with the fewest connections. */
const phones = 3;
const pieces = 16;
const pieceBytes = 16_384;
const pieceMs = 500;

/**
 * Starts clients that behave like phones on a slow network. Each sends uploads one after another, and each
 * upload takes eight seconds.
 */
export function startSlowUploads(site: Site) {
  let over = false;
  let done = 0;
  let underWay = 0;

  async function send(phone: number) {
    const user = site.admins[phone];
    assert.ok(user);
    const storage = storageOf(user);
    for (let turn = 0; !over; turn += 1) {
      const content = mp3(pieces * pieceBytes, turn);
      const begun = await storage.start(`postAudios/mind/phone-${phone}-${turn}`, content.length);
      assert.equal(begun.response.status, 201);
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          underWay += 1;
          for (let at = 0; at < content.length; at += pieceBytes) {
            controller.enqueue(content.subarray(at, at + pieceBytes));
            await wait(pieceMs);
          }
          underWay -= 1;
          controller.close();
        },
      });
      const headers = digestHeader(content);
      const response = await storage.patch(begun, 0, body, { headers, duplex: 'half' });
      assert.equal(response.status, 204, await response.text());
      done += 1;
    }
  }

  const sending = Promise.all(Array.from({ length: phones }, (_, phone) => send(phone)));
  return {
    /** Waits until every phone is in the middle of a request. */
    async flow(): Promise<void> {
      while (underWay < phones) await Promise.race([wait(50), sending]);
    },
    /** @returns the number of uploads, all of them complete */
    async stop(): Promise<number> {
      over = true;
      await sending;
      return done;
    },
  };
}
