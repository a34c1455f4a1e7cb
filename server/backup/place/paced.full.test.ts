import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { temporaryFolder } from '#server/testing/moves.ts';
import { startSwift } from '#server/testing/peers/swift.ts';
import type { BackupSettings } from '../../environment-backup.ts';

const megabytes = 40;
/**
 * Writes an object and reads it, with the lowest priority. Prints the share of a processor that this takes.
 */
const program = `
import { createHash } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { Readable } from 'node:stream';
import { openBackupStore } from '#server/backup/place/open-backup-store.ts';
setPriority(constants.priority.PRIORITY_LOW);
const store = await openBackupStore(JSON.parse(process.argv[1]));
function* parts() {
  for (let count = 0; count < ${megabytes}; count += 1) yield Buffer.alloc(1_000_000, count);
}
const started = performance.now();
const before = process.cpuUsage();
const { bytes, sha256 } = await store.write('contents/a', Readable.from(parts()));
const hash = createHash('sha256');
for await (const chunk of await store.read('contents/a')) hash.update(chunk);
const { user, system } = process.cpuUsage(before);
const share = (user + system) / 1_000 / (performance.now() - started);
console.log(JSON.stringify({ bytes, isEqual: hash.digest('hex') === sha256, share }));
`;

describe('in the background, copying an object uses at most about a quarter of one processor', () => {
  it('to and from a folder', async (t) => {
    await requireRests({ folder: await temporaryFolder(t) });
  });

  it('to and from a bucket', async (t) => {
    const swift = await startSwift();
    t.after(() => swift.remove());
    await requireRests({ s3: swift });
  });
});

async function requireRests(place: BackupSettings['destination']) {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program, JSON.stringify(place)],
    { cwd: new URL('../../..', import.meta.url) },
  );
  const { bytes, isEqual, share } = JSON.parse(stdout);
  assert.equal(bytes, megabytes * 1_000_000);
  assert.ok(isEqual, 'what was read is what was written');
  assert.ok(share < 0.35, `${share} of a processor`);
}
