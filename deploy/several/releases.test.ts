import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { report } from '#hard/figures.ts';
import { startPostgres } from '#server/testing/peers/postgres.ts';
import { s3Environment, startSwift } from '#server/testing/peers/swift.ts';
import { startServerProcess } from '#server/testing/server-process.ts';
import { startLoadBalancer } from './load-balancer.ts';

const root = path.join(import.meta.dirname, '../..');
const sources = [
  ...['build', 'client', 'clinic', 'contract', 'server', 'web'],
  ...['package.json', 'package-lock.json', 'tsconfig.base.json'],
];
const pages = ['/', '/about', '/practices', '/login', '/register', '/participants', '/admin'];
const visits = 12;

it('while two releases run side by side, a page of each finds its chunks on the instances of the other', async (t) => {
  const undo: (() => Promise<unknown>)[] = [];
  t.after(async () => {
    for (const step of undo.reverse()) await step();
  });
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-releases-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const next = path.join(folder, 'next');
  buildNextRelease(next);

  const [postgres, s3] = await Promise.all([startPostgres(), startSwift()]);
  undo.push(postgres.stop, s3.remove);
  const balancer = await startLoadBalancer();
  undo.push(balancer.stop);
  const start = async (release: string, name: string, port?: number) => {
    const server = await startServerProcess(
      path.join(folder, name),
      {
        ...{ HOST: '127.0.0.1', PUBLIC_URL: balancer.url, TRUSTED_PROXIES: 'loopback' },
        ...{ DATABASE_URL: postgres.url, ...(port && { PORT: String(port) }), ...s3Environment(s3) },
      },
      release,
    );
    undo.push(server.kill);
    return `http://127.0.0.1:${server.port}`;
  };
  // As during a rollout, two instances have the old release and two the new one. HAProxy uses three of them.
  const releases = [
    { folder: root, instances: [await start(root, 'a', balancer.ports[0]), await start(root, 'd')] },
    {
      folder: next,
      instances: [await start(next, 'b', balancer.ports[1]), await start(next, 'c', balancer.ports[2])],
    },
  ];
  const [first, second] = releases.map((release) => listAssets(release.folder));
  assert.ok(first && second);
  assert.ok(
    first.some((asset) => !second.includes(asset)),
    'the releases have other names of files',
  );

  let found = 0;
  for (const release of releases) {
    const others = releases.filter((one) => one !== release).flatMap(({ instances }) => instances);
    for (const asset of listAssets(release.folder)) {
      const expected = readFileSync(path.join(release.folder, 'dist/site', asset));
      for (const instance of others) {
        const response = await fetch(instance + asset);
        assert.equal(response.status, 200, asset);
        assert.ok(expected.equals(Buffer.from(await response.arrayBuffer())), asset);
        found += 1;
      }
    }
  }

  // Like a browser, requests a page through HAProxy, and then its files, which other instances may send.
  const shown = new Set<string>();
  for (let visit = 0; visit < visits; visit += 1)
    for (const page of pages) {
      const html = await (await fetch(balancer.url + page)).text();
      const named = [...new Set(html.match(/\/static\/[\w./-]+\.(?:js|css|woff2)/g))];
      assert.ok(named.length > 0, page);
      for (const asset of named) {
        shown.add(asset);
        assert.equal((await fetch(balancer.url + asset)).status, 200, `${page}: ${asset}`);
      }
    }
  for (const [mine, other] of [
    [first, second],
    [second, first],
  ] as const)
    assert.ok(
      [...shown].some((asset) => mine.includes(asset) && !other.includes(asset)),
      'pages of both releases were shown',
    );
  report('two releases side by side, files found on the other', `${found} of ${found}`, 'all');
});

/** Builds a second release, with small changes that give its files other names. */
function buildNextRelease(folder: string) {
  for (const source of sources)
    cpSync(path.join(root, source), path.join(folder, source), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  for (const file of ['web/app/main.tsx', 'web/app/root.tsx', 'web/styles/tokens.css']) {
    const changed = path.join(folder, file);
    const text = readFileSync(changed, 'utf8');
    const change = file.endsWith('.css')
      ? ':root { --next-release: 1; }'
      : '(globalThis as { next?: number }).next = 1;';
    writeFileSync(changed, `${text}\n${change}\n`);
  }
  const built = spawnSync(process.execPath, ['build/build.ts'], { cwd: folder, encoding: 'utf8' });
  assert.equal(built.status, 0, built.stdout + built.stderr);
}

/** The files of a release whose names contain a hash. */
function listAssets(release: string): string[] {
  const site = path.join(release, 'dist/site');
  return readdirSync(path.join(site, 'static'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:js|css|woff2)$/.test(entry.name))
    .map((entry) => `/${path.relative(site, path.join(entry.parentPath, entry.name))}`);
}
