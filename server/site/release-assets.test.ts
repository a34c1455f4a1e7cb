import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { databaseKinds } from '../testing/databases.ts';
import { startTestServer } from '../testing/server.ts';
import { distDir } from './built-site.ts';
import { publishAssets } from './release-assets.ts';

const dayMs = 24 * 60 * 60_000;

/** Makes the folder of another build with these assets. */
async function makeBuild(t: TestContext, assets: Record<string, string | Buffer>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-build-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, 'render.js'), '');
  for (const [name, content] of Object.entries(assets)) {
    const file = path.join(folder, 'site', name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
  return folder;
}

for (const kind of databaseKinds) {
  describe(`the assets of another release on ${kind}`, { concurrency: true }, () => {
    const startSite = (t: TestContext) => startTestServer(t, kind, { services: ['documents', 'site'] });
    const script = 'export const answer = "á";\n';
    const font = Buffer.from([0x77, 0x4f, 0x46, 0x32, 0x00, 0xff, 0x80]);

    it('are served with their bytes and types, and are cached for a year', async (t) => {
      const { url, database } = await startSite(t);
      const other = await makeBuild(t, {
        'static/js/home-AAAAAAAA.js': script,
        'static/css/home-BBBBBBBB.css': 'b{}',
        'static/fonts/text-CCCCCCCC.woff2': font,
        'favicon.svg': 'another favicon',
      });
      assert.equal((await fetch(`${url}/static/js/home-AAAAAAAA.js`)).status, 404);
      await publishAssets(database, other);

      const served = await fetch(`${url}/static/js/home-AAAAAAAA.js`);
      assert.equal(await served.text(), script);
      assert.deepEqual(
        ['content-type', 'cache-control', 'x-content-type-options'].map((name) => served.headers.get(name)),
        ['text/javascript; charset=utf-8', 'public, max-age=31536000, immutable', 'nosniff'],
      );
      const style = await fetch(`${url}/static/css/home-BBBBBBBB.css`);
      assert.equal(style.headers.get('content-type'), 'text/css; charset=utf-8');
      const sent = await fetch(`${url}/static/fonts/text-CCCCCCCC.woff2`);
      assert.deepEqual(Buffer.from(await sent.arrayBuffer()), font);
      // Files without a hash in their names are not shared: each release serves its own.
      assert.notEqual(await (await fetch(`${url}/favicon.svg`)).text(), 'another favicon');
    });

    it('are stored once, also by instances that start concurrently', async (t) => {
      const { database } = await startSite(t);
      await Promise.all(Array.from({ length: 4 }, () => publishAssets(database, distDir)));
      const releases = await database.selectFrom('releases').selectAll().execute();
      assert.equal(releases.length, 1);
      const count = await database
        .selectFrom('releaseAssets')
        .select(({ fn }) => [
          fn.countAll<number>().as('rows'),
          fn.count<number>('path').distinct().as('paths'),
        ])
        .executeTakeFirstOrThrow();
      assert.equal(count.rows, count.paths);
      assert.ok(count.rows > 10, String(count.rows));
    });

    it('stay while an instance uses the release, and are deleted thirty days later', async (t) => {
      const { url, database } = await startSite(t);
      const [used, unused] = [
        await makeBuild(t, { 'static/js/used-AAAAAAAA.js': script }),
        await makeBuild(t, { 'static/js/unused-BBBBBBBB.js': script }),
      ];
      const start = Date.now();
      await publishAssets(database, used, start);
      await publishAssets(database, unused, start);
      await publishAssets(database, used, start + 29 * dayMs);
      const statuses = () =>
        Promise.all(
          ['used-AAAAAAAA', 'unused-BBBBBBBB'].map(
            async (name) => (await fetch(`${url}/static/js/${name}.js`)).status,
          ),
        );
      await publishAssets(database, used, start + 30 * dayMs);
      assert.equal((await database.selectFrom('releases').selectAll().execute()).length, 2);
      await publishAssets(database, used, start + 31 * dayMs);
      assert.deepEqual(await statuses(), [200, 404]);
    });
  });
}
