import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { it } from 'node:test';
import { createDecryption, createEncryption, createKeyPair } from './encryption.ts';

/** age encrypts 64 KiB at a time. */
const chunkBytes = 64 * 1024;
const sizes = [0, 1, chunkBytes - 1, chunkBytes, chunkBytes + 1, 2 * chunkBytes, 5 * chunkBytes - 1];
const partSizes = [1_000, chunkBytes, chunkBytes + 1, 256 * 1024];

it('encrypts any content so that Debian’s age and the library decrypt it', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-age-'));
  t.after(() => rm(folder, { recursive: true }));
  const keys = await Promise.all([createKeyPair(), createKeyPair()]);
  const encrypt = await createEncryption(keys.map(({ recipient }) => recipient));
  const keyFiles = keys.map((_, index) => path.join(folder, `${index}.key`));
  for (const [index, { identity }] of keys.entries()) await writeFile(keyFiles[index] ?? '', identity);

  for (const size of sizes)
    for (const partSize of partSizes) {
      const content = randomBytes(size);
      const encrypted = await buffer(await encrypt(inParts(content, partSize)));
      for (const { identity } of keys) {
        const decrypt = await createDecryption(identity);
        const decrypted = await buffer(await decrypt(inParts(encrypted, chunkBytes)));
        assert.ok(decrypted.equals(content), `${size} bytes in parts of ${partSize}`);
      }
      for (const keyFile of keyFiles) {
        const decrypted = execFileSync('age', ['-d', '-i', keyFile], { input: encrypted });
        assert.ok(decrypted.equals(content), `${size} bytes in parts of ${partSize}, age`);
      }
    }
});

it('encrypts the same content differently each time', async () => {
  const encrypt = await createEncryption([(await createKeyPair()).recipient]);
  const content = Buffer.alloc(100);
  const [first, second] = await Promise.all(
    [content, content].map(async (same) => buffer(await encrypt(inParts(same, 100)))),
  );
  assert.notDeepEqual(first?.subarray(-116), second?.subarray(-116));
});

async function* inParts(content: Uint8Array, bytes: number) {
  for (let start = 0; start < content.length; start += bytes) yield content.subarray(start, start + bytes);
}
