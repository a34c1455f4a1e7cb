import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { temporaryFolder } from '#server/testing/moves.ts';
import { cleanUp } from '../database/clean-up.ts';
import { databaseKinds, isFullLevel } from '../testing/databases.ts';
import { png } from '../testing/pictures.ts';
import { startTestServer } from '../testing/server.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { storageOf } from '../testing/storage.ts';
import { until } from '../testing/until.ts';
import { openUsageRecords } from './usage-records.ts';

describe('usage records', () => {
  it('keep the date, time and IP address of a request, but neither its query nor a name', async (t) => {
    const { visitor, dataDir } = await startTestServer(t, 'sqlite');
    const before = Date.now();
    await visitor.fetch('/api/auth/verify-email?token=segredo', { redirect: 'manual' });
    const folder = path.join(dataDir, 'usage-records');
    const line = await firstLine(folder);
    const { at, ...record } = JSON.parse(line) as { at: string };
    assert.deepEqual(record, { ip: '127.0.0.1', method: 'GET', path: '/api/auth/verify-email', status: 303 });
    assert.ok(Date.parse(at) >= before && Date.parse(at) <= Date.now());
    const [file = ''] = await readdir(folder);
    assert.equal((await stat(path.join(folder, file))).mode & 0o777, 0o600);
  });

  it('are complete and in order with many concurrent requests and any path', async (t) => {
    const { dataDir } = await startTestServer(t, 'sqlite');
    const folder = path.join(dataDir, 'records');
    const records = await openUsageRecords(folder);
    const at = new Date('2026-11-21T12:00:00.123Z');
    const odd = ['/"aspas"', '/barra\\', '/coração', `/${'longo'.repeat(300)}`, '/\u2028'];
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

  it('contain no path of a page that does not exist, and the log does not name it either', async (t) => {
    const dataDir = await temporaryFolder(t);
    const server = await startServerProcess(dataDir, { LOG_LEVEL: 'info' });
    t.after(() => server.kill());
    const requests = 200;
    for (let count = 0; count < requests; count += 1) {
      const response = await fetch(`${server.url}/${'nada'.repeat(250)}?${'x'.repeat(10_000)}`);
      assert.equal(response.status, 404);
    }
    await server.stop();
    const folder = path.join(dataDir, 'usage-records');
    const [file = ''] = await readdir(folder);
    // The server records 20 of them one by one, and counts the rest.
    const text = await readFile(path.join(folder, file), 'utf8');
    assert.equal(text.split('\n').length, 20 + 1 + 1);
    assert.match(text, new RegExp(`"times":${requests - 20}}\\n$`));
    assert.doesNotMatch(await readFile(path.join(folder, file), 'utf8'), /nada/);
    assert.doesNotMatch(server.log(), /nada/);
  });

  it('contain the patterns of pages and of calls of the API, but no files', async (t) => {
    const {
      visitor,
      join: signUp,
      dataDir,
    } = await startTestServer(t, 'sqlite', {
      services: ['auth', 'documents', 'storage', 'site'],
      environment: { METRICS_TOKEN: 'a token of the tests, long enough' },
    });
    const user = await signUp();
    const storage = storageOf(user);
    const picture = `profilePics/${user.uid}/foto`;
    await storage.send(picture, await png());
    const file = await storage.url(picture);
    const style = /href="(\/static\/[^"]+)"/.exec(await (await visitor.fetch('/about')).text())?.[1] ?? '';
    for (const path of [file, style, '/robots.txt', '/sitemap.xml', '/healthz', '/readyz', '/metrics'])
      await visitor.fetch(path);
    assert.equal((await visitor.fetch(style)).status, 200);
    for (const path of ['/', '/practices', '/practices/a1/peito-apertado', '/practices/a1?x', '/nada'])
      await visitor.fetch(path);
    for (const path of ['/previa/eyJ1bnRpbCI6MX0.abc/practices/a1', '/share/practices/a1.png'])
      await visitor.fetch(path);
    for (const path of ['/api/documents/practice-pages/a1', '/api/auth/get-session', '/api/nada'])
      await visitor.fetch(path);
    const folder = path.join(dataDir, 'usage-records');
    let paths: string[] = [];
    await until(async () => {
      const [name = ''] = await readdir(folder);
      const lines = (await readFile(path.join(folder, name), 'utf8')).split('\n').filter(Boolean);
      paths = lines.map((line) => (JSON.parse(line) as { path: string }).path);
      return paths.includes('/*');
    });
    const visited = paths.slice(paths.indexOf('/about'));
    assert.deepEqual(visited, [
      ...['/about', '/', '/practices', '/practices/:id', '/practices/:id', '*', '/previa/*'],
      ...['/api/documents/practice-pages/:id', '/api/auth/get-session', '/*'],
    ]);
  });

  it('are compressed once their day is over, also after a crash and when the clock goes back', async (t) => {
    const folder = path.join(await temporaryFolder(t), 'usage-records');
    const record = { ip: '203.0.113.7', method: 'GET', status: 200 };
    const [monday, tuesday] = ['2026-11-16', '2026-11-17'] as const;
    const at = (day: string) => new Date(`${day}T12:00:00.000Z`);
    const records = await openUsageRecords(folder);
    records.write({ ...record, at: at(monday), path: '/um' });
    records.write({ ...record, at: at(tuesday), path: '/dois' });
    const names = async () => (await readdir(folder)).sort();
    await until(async () => (await names()).join() === `${monday}.jsonl.gz,${tuesday}.jsonl`);
    const packed = path.join(folder, `${monday}.jsonl.gz`);
    assert.equal((await stat(packed)).mode & 0o777, 0o600);
    records.write({ ...record, at: at(monday), path: '/de novo' });
    records.write({ ...record, at: at(tuesday), path: '/três' });
    await records.close();

    // Simulates a crash that left the original beside its complete copy.
    const copied = await stat(packed);
    const left = path.join(folder, `${monday}.jsonl`);
    await until(async () => !(await names()).includes(`${monday}.jsonl`));
    await writeFile(left, gunzipSync(await readFile(packed)));
    const { mtime } = await stat(packed);
    await utimes(left, mtime, mtime);
    assert.ok(copied.size > 0);
    await (await openUsageRecords(folder)).close();
    assert.deepEqual(await names(), [`${monday}.jsonl.gz`, `${tuesday}.jsonl.gz`]);
    const pathsOf = async (day: string) =>
      gunzipSync(await readFile(path.join(folder, `${day}.jsonl.gz`)))
        .toString()
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { path: string }).path);
    assert.deepEqual(await pathsOf(monday), ['/um', '/de novo']);
    assert.deepEqual(await pathsOf(tuesday), ['/dois', '/três']);
  });

  it('are deleted after six months, but not because the clock jumped', async (t) => {
    const folder = path.join(await temporaryFolder(t), 'usage-records');
    await mkdir(folder);
    const daysFromNow = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000);
    const dayOf = (days: number) => daysFromNow(days).toISOString().slice(0, 10);
    const make = async (...days: number[]) => {
      for (const day of days) {
        const file = path.join(folder, `${dayOf(day)}.jsonl`);
        await writeFile(file, '');
        await utimes(file, daysFromNow(day), daysFromNow(day));
      }
    };
    const days = async () => [...new Set((await readdir(folder)).map((name) => name.slice(0, 10)))].sort();
    await make(-186, -185, -184, -100, -2, -1);
    // A recently written file stays, even if the date in its name is old.
    await utimes(path.join(folder, `${dayOf(-186)}.jsonl`), new Date(), new Date());
    const records = await openUsageRecords(folder);
    const kept = [-186, -184, -100, -2, -1].map(dayOf);
    await until(async () => (await days()).join() === kept.join());

    const record = { ip: '203.0.113.7', method: 'GET', path: '/', status: 200 };
    records.write({ ...record, at: daysFromNow(0) });
    for (const jump of [200, 201]) {
      records.write({ ...record, at: daysFromNow(jump) });
      await until(async () => (await readdir(folder)).includes(`${dayOf(jump)}.jsonl`));
    }
    records.write({ ...record, at: daysFromNow(0) });
    await records.close();
    assert.deepEqual(await days(), [...kept, ...[0, 200, 201].map(dayOf)]);

    // On a new day, the first record deletes old files, if two of the seven days before have records.
    await make(90, 91);
    const later = await openUsageRecords(folder);
    later.write({ ...record, at: daysFromNow(92) });
    await until(async () => !(await days()).includes(dayOf(-100)));
    await later.close();
    assert.ok((await days()).includes(dayOf(-1)));
  });

  it('of earlier versions are moved from their folder', async (t) => {
    const dataDir = await temporaryFolder(t);
    const [earlier, folder] = [path.join(dataDir, 'access'), path.join(dataDir, 'usage-records')];
    for (const one of [earlier, folder]) await mkdir(one);
    const today = `${new Date().toISOString().slice(0, 10)}.jsonl`;
    await writeFile(path.join(earlier, '2026-11-20.jsonl'), '{"path":"/ontem"}\n');
    await writeFile(path.join(earlier, today), '{"path":"/antes"}\n');
    await writeFile(path.join(folder, today), '{"path":"/agora"}\n');
    const records = await openUsageRecords(folder);
    assert.deepEqual(await readdir(dataDir), ['usage-records']);
    await records.close();
    assert.deepEqual((await readdir(folder)).sort(), ['2026-11-20.jsonl.gz', today].sort());
    const all = await readFile(path.join(folder, today), 'utf8');
    assert.equal(all, '{"path":"/agora"}\n{"path":"/antes"}\n');
  });
});

for (const kind of databaseKinds) {
  it(`clean-up removes only expired rows on ${kind}`, async (t) => {
    const { database, join, visitor, mails } = await startTestServer(t, kind);
    const user = await join();
    await visitor.client.auth.requestPasswordReset(user.email);
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
    assert.equal(await user.client.auth.findSession(), undefined);
  });
}

// Only root can mount a disk.
if (isFullLevel)
  describe('usage records on a full disk', () => {
    it('are written again once a full disk has space, and report each problem once', async (t) => {
      const disk = await mountSmallDisk(t);
      const problems: string[] = [];
      const records = await openUsageRecords(path.join(disk, 'usage-records'), (problem) =>
        problems.push(problem),
      );
      const record = {
        at: new Date('2026-11-21T12:00:00.000Z'),
        ip: '203.0.113.7',
        method: 'GET',
        status: 200,
      };
      const file = path.join(disk, 'usage-records', '2026-11-21.jsonl');
      const recorded = async () => (await readFile(file, 'utf8')).split('\n').filter(Boolean);
      records.write({ ...record, path: '/antes' });
      await until(async () => (await recorded().catch(() => [])).length === 1);

      const ballast = path.join(disk, 'ballast');
      await writeFile(ballast, Buffer.alloc(64 * 1024 * 1024)).catch(() => {});
      let written = 0;
      await until(async () => {
        for (let count = 0; count < 100; count += 1, written += 1)
          records.write({ ...record, path: `/cheio/${written}` });
        return problems.length > 0;
      });
      await rm(ballast);
      await until(async () => {
        records.write({ ...record, path: '/depois' });
        return (await recorded()).some((line) => line.includes('/depois'));
      });
      await records.close();
      for (const line of await recorded()) assert.ok((JSON.parse(line) as { path: string }).path);
      assert.equal(new Set(problems).size, problems.length);
      assert.ok(problems.length <= 2, problems.join());
      assert.equal(
        records.writeErrors() > 0,
        problems.some((problem) => /gravados/.test(problem)),
      );
    });

    it('use at most a tenth of the free disk in a day, and count dropped records', async (t) => {
      const disk = await mountSmallDisk(t);
      const problems: string[] = [];
      const records = await openUsageRecords(path.join(disk, 'usage-records'), (problem) =>
        problems.push(problem),
      );
      const at = new Date('2026-11-21T12:00:00.000Z');
      const record = { at, ip: '203.0.113.7', method: 'GET', path: `/${'x'.repeat(199)}`, status: 404 };
      await until(async () => {
        for (let count = 0; count < 100; count += 1) records.write(record);
        return records.lost() > 10_000;
      });
      await records.close();
      const { size } = await stat(path.join(disk, 'usage-records', '2026-11-21.jsonl'));
      assert.ok(size > 1024 * 1024 && size < 1.7 * 1024 * 1024, `${size}`);
      assert.equal(problems.length, 1);
    });
  });

/** Mounts a disk of 16 MB, which a test can fill. */
async function mountSmallDisk(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=700', 'tmpfs', folder]);
  t.after(async () => {
    execFileSync('umount', ['--lazy', folder]);
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Waits for the first line of the only file. */
async function firstLine(folder: string): Promise<string> {
  let text = '';
  await until(async () => {
    const [file] = await readdir(folder);
    text = file ? await readFile(path.join(folder, file), 'utf8') : '';
    return text.includes('\n');
  });
  return text.split('\n', 1)[0] ?? '';
}
