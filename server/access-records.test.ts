import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'node:test';
import { openAccessRecords } from './access-records.ts';
import { cleanUp } from './database/clean-up.ts';
import { databaseKinds } from './testing/databases.ts';
import { startTestServer } from './testing/server.ts';

describe('access records', () => {
  it('keep date, time and address of a use, and neither query nor name', async (t) => {
    const { visitor, dataDir } = await startTestServer(t, 'sqlite');
    const before = Date.now();
    await visitor.fetch('/api/auth/verify-email?token=segredo', { redirect: 'manual' });
    const folder = path.join(dataDir, 'access');
    const line = await firstLine(folder);
    const { at, ...record } = JSON.parse(line) as { at: string };
    assert.deepEqual(record, { ip: '127.0.0.1', method: 'GET', path: '/api/auth/verify-email', status: 303 });
    assert.ok(Date.parse(at) >= before && Date.parse(at) <= Date.now());
    const [file = ''] = await readdir(folder);
    assert.equal((await stat(path.join(folder, file))).mode & 0o777, 0o600);
  });

  it('are all there, whole and in order, however many come at once and whatever they name', async (t) => {
    const { dataDir } = await startTestServer(t, 'sqlite');
    const folder = path.join(dataDir, 'records');
    const records = await openAccessRecords(folder);
    const at = new Date('2026-11-21T12:00:00.123Z');
    const odd = ['/"aspas"', '/barra\\', '/coração', `/${'longo'.repeat(3_000)}`, '/\u2028'];
    const written = Array.from({ length: 2_000 }, (_, count) => ({
      ...{ ip: 'não é "endereço"', method: 'GET', status: 200 + (count % 300) },
      path: `${odd[count % odd.length]}/${count}`,
    }));
    for (const record of written) records.write({ ...record, at });
    await records.close();
    const lines = (await readFile(path.join(folder, '2026-11-21.jsonl'), 'utf8')).split('\n');
    assert.equal(lines.pop(), '');
    const expected = written.map((record) => ({ at: at.toISOString(), ...record }));
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      expected,
    );
  });

  it('go once six months have passed', async (t) => {
    const { dataDir } = await startTestServer(t, 'sqlite');
    const folder = path.join(dataDir, 'records');
    await mkdir(folder);
    const daysFromNow = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000);
    const fileOf = (days: number) => `${daysFromNow(days).toISOString().slice(0, 10)}.jsonl`;
    for (const days of [-185, -184, -100]) await writeFile(path.join(folder, fileOf(days)), '');
    const records = await openAccessRecords(folder);
    assert.deepEqual((await readdir(folder)).sort(), [fileOf(-184), fileOf(-100)]);

    const record = { ip: '203.0.113.7', method: 'GET', path: '/', status: 200 };
    records.write({ ...record, at: daysFromNow(0) });
    await until(async () => (await readdir(folder)).includes(fileOf(0)));
    // The first use of another day tidies up.
    records.write({ ...record, at: daysFromNow(90) });
    const expected = [fileOf(0), fileOf(90)].join();
    await until(async () => (await readdir(folder)).sort().join() === expected);
    await records.close();
  });
});

for (const kind of databaseKinds) {
  it(`what has expired is removed, and nothing else, on ${kind}`, async (t) => {
    const { database, join, visitor, mails } = await startTestServer(t, kind);
    const person = await join();
    await visitor.client.auth.requestPasswordReset(person.email);
    await mails();
    const count = async () => ({
      sessions: (await database.selectFrom('sessions').select('id').execute()).length,
      links: (await database.selectFrom('verifications').select('id').execute()).length,
      attempts: (await database.selectFrom('attempts').select('key').execute()).length > 0,
    });
    await cleanUp(database, kind);
    assert.deepEqual(await count(), { sessions: 1, links: 1, attempts: true });
    await cleanUp(database, kind, Date.now() + 11 * 60_000);
    assert.deepEqual(await count(), { sessions: 1, links: 0, attempts: true });
    await cleanUp(database, kind, Date.now() + 8 * 24 * 60 * 60_000);
    assert.deepEqual(await count(), { sessions: 0, links: 0, attempts: false });
    assert.equal(await person.client.auth.findSession(), undefined);
  });
}

/** The first line of the only file, once it has been written. */
async function firstLine(folder: string): Promise<string> {
  let text = '';
  await until(async () => {
    const [file] = await readdir(folder);
    text = file ? await readFile(path.join(folder, file), 'utf8') : '';
    return text.includes('\n');
  });
  return text.split('\n', 1)[0] ?? '';
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}
