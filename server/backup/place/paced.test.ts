import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '#server/testing/moves.ts';

const megabytes = 40;
/** Writes an object and reads it, with the lowest priority. Prints the share of a processor that this takes. */
const program = `
import { constants, setPriority } from 'node:os';
import { Readable } from 'node:stream';
import { openBackupStore } from '#server/backup/place/open-backup-store.ts';
setPriority(constants.priority.PRIORITY_LOW);
const store = await openBackupStore({ folder: process.argv[1] });
function* parts() {
  for (let count = 0; count < ${megabytes}; count += 1) yield Buffer.alloc(1_000_000, 'a');
}
const started = performance.now();
const before = process.cpuUsage();
const { bytes } = await store.write('contents/a', Readable.from(parts()));
let read = 0;
for await (const chunk of await store.read('contents/a')) read += chunk.length;
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ bytes, read, share: (user + system) / 1_000 / (performance.now() - started) }));
`;

test('in the background, copying an object uses at most about a quarter of one processor', async (t) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program, await temporaryFolder(t)],
    { cwd: new URL('../../..', import.meta.url) },
  );
  const { bytes, read, share } = JSON.parse(stdout);
  assert.equal(bytes, megabytes * 1_000_000);
  assert.equal(read, bytes);
  assert.ok(share < 0.35, `${share} of a processor`);
});
