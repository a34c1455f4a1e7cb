import assert from 'node:assert/strict';
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { findFreePort } from '#server/testing/free-port.ts';
import { cloneTwice } from './testing/clones.ts';
import { type Container, runInContainer, startContainer } from './testing/containers.ts';
import {
  baseImage,
  buildImage,
  findNpmCache,
  type ImageSettings,
  type ImageStore,
  makeBaseImages,
  openImageStore,
  whyNoImages,
} from './testing/images.ts';
import { run } from './testing/run.ts';

const root = join(import.meta.dirname, '..');
const user = 10_001;
const mostStopMs = 10_000;

const folder = await mkdtemp(join(tmpdir(), 'acolhe-deploy-'));
after(() => rm(folder, { recursive: true, force: true }));
const clones = [join(folder, 'clone'), join(folder, 'another clone')] as const;
const outs = [join(folder, 'one'), join(folder, 'two')] as const;
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
const archive = join(outs[0], `acolhe-${version}.tar.gz`);
const unpacked = join(folder, `acolhe-${version}`);

test('two clones make the same release, byte by byte, whatever their folder, time zone, umask and settings', async () => {
  await cloneTwice(...clones);
  await makeRelease(clones[0], outs[0], { umask: 0o022, env: {} });
  const env = { TZ: 'Asia/Tokyo', LANG: 'C', NODE_ENV: 'development', VITE_SITE: 'other' };
  await makeRelease(clones[1], outs[1], { umask: 0o077, env });
  const names = [`acolhe-${version}.cdx.json`, `acolhe-${version}.tar.gz`, 'SHA256SUMS'];
  assert.deepEqual((await readdir(outs[0])).sort(), names.toSorted());
  for (const name of names)
    assert.ok((await readFile(join(outs[0], name))).equals(await readFile(join(outs[1], name))), name);
  const sums = await readFile(join(outs[0], 'SHA256SUMS'), 'utf8');
  assert.equal(sums.trim().split('\n').length, 2);
  await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: outs[0] });
  await run('tar', ['-xzf', archive, '-C', folder]);
});

describe('the image', { skip: whyNoImages() }, () => {
  let store: ImageStore;
  let settings: ImageSettings;
  let image: string;
  let dataDir: string;

  before(async () => {
    store = await openImageStore();
    await makeBaseImages(store);
    const ignored = join(unpacked, 'deploy/Dockerfile.dockerignore');
    await store.build('acolhe', [
      ...['--file', join(unpacked, 'deploy/Dockerfile'), '--ignorefile', ignored],
      ...['--build-arg', `BUILD_IMAGE=${buildImage}`, '--build-arg', `BASE_IMAGE=${baseImage}`],
      ...['--volume', `${await findNpmCache()}:/root/.npm`],
      unpacked,
    ]);
    settings = await store.settingsOf('acolhe');
    image = await store.unpack('acolhe');
    dataDir = await mkdtemp(join(folder, 'data-'));
    await run('chown', [`${user}:${user}`, dataDir]);
  });
  after(() => store.remove());

  it('runs the command of npm start as its own user, and keeps its data in a volume', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      scripts: { start: string };
    };
    assert.ok(scripts.start.endsWith(` exec env ${settings.Cmd.join(' ')}`));
    assert.equal(settings.User, `${user}:${user}`);
    assert.deepEqual(Object.keys(settings.Volumes), ['/data']);
    for (const variable of ['NODE_ENV=production', 'DATA_DIR=/data', 'HOST=0.0.0.0'])
      assert.ok(settings.Env.includes(variable), variable);
    assert.equal(settings.StopSignal ?? 'SIGTERM', 'SIGTERM');
    assert.equal(settings.Labels['org.opencontainers.image.title'], 'Acolhe');
    const wanted = (await readFile(join(root, '.node-version'), 'utf8')).trim();
    const place = { root: image, dataDir, settings, env: {} };
    assert.equal((await runInContainer(place, ['node', '--version'])).trim(), `v${wanted}`);
    const dockerfile = await readFile(join(root, 'deploy/Dockerfile'), 'utf8');
    assert.ok(dockerfile.includes(`BUILD_IMAGE=node:${wanted}-`), 'the Dockerfile names the same Node');
  });

  it('contains what the server needs, but no npm, tests, sources of the site or secrets', async () => {
    const program = join(image, settings.WorkingDir);
    assert.deepEqual((await readdir(program)).sort(), [
      ...['LICENSE', 'clinic', 'commands', 'contract', 'dist', 'node_modules', 'package-lock.json'],
      ...['package.json', 'release.json', 'server', 'tsconfig.base.json'],
    ]);
    const own = (await readdir(program, { recursive: true })).filter(
      (file) => !file.startsWith('node_modules'),
    );
    assert.deepEqual(
      own.filter((file) => /\.(?:test|spec)\.|(?:^|\/)testing(?:\/|\.|$)|(?:^|\/)\./.test(file)),
      [],
    );
    const find = ['-xdev', '(', '-name', 'npm', '-o', '-name', '.npmrc', '-o', '-name', '.env', ')'];
    assert.equal(await run('find', [image, ...find, '-not', '-path', '*/node_modules/*/*']), '');
  });

  it('has the packages that the SBOM of the release lists, and no development dependency', async () => {
    const lock = await readFile(join(image, settings.WorkingDir, 'node_modules/.package-lock.json'), 'utf8');
    const { packages } = JSON.parse(lock) as { packages: Record<string, { version: string; dev?: boolean }> };
    const sbom = await readFile(join(outs[0], `acolhe-${version}.cdx.json`), 'utf8');
    const { components } = JSON.parse(sbom) as { components: { purl: string }[] };
    const listed = new Set(components.map(({ purl }) => purl));
    assert.ok(Object.keys(packages).length > 100);
    for (const [path, installed] of Object.entries(packages)) {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      assert.ok(!installed.dev, path);
      assert.ok(listed.has(`pkg:npm/${name.replace('@', '%40')}@${installed.version}`), path);
    }
    const modules = await readdir(join(image, settings.WorkingDir, 'node_modules'));
    for (const name of ['vite', 'typescript', 'playwright', '@biomejs'])
      assert.ok(!modules.includes(name), name);
  });

  it('gives its user no file to write outside /data, /backups and the temporary folders', async () => {
    // The root is not mounted read-only here, so only the modes of its files protect it.
    const as = [`--userspec=${user}:${user}`, '--groups=', image];
    const closed = ['-type', 'd', '-not', '-readable', '-prune', '-o'];
    const writable = ['-writable', '-not', '-type', 'l', '-print'];
    const found = await run('chroot', [...as, 'find', '/', '-xdev', ...closed, ...writable]);
    const outside = found
      .split('\n')
      .filter(
        (path) => path !== '' && !/^\/(?:data|backups|tmp|var\/tmp|run\/lock|dev|proc)(?:\/|$)/.test(path),
      );
    assert.deepEqual(outside, []);
  });

  it('serves the site with a read-only root file system, and stops within 10 s', async () => {
    const port = String(await findFreePort());
    const env = { HOST: '127.0.0.1', PORT: port };
    const place = { root: image, dataDir, settings, env };
    const url = `http://127.0.0.1:${port}`;
    const [, ...healthCheck] = settings.Healthcheck.Test;
    const container: Container = await startContainer(place, 'Acolhe no ar');

    const home = await fetch(url);
    assert.equal(home.status, 200);
    const html = await home.text();
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    for (const [, file = ''] of html.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g))
      assert.equal((await fetch(url + file)).status, 200, file);
    // The server draws this picture in a separate process, with the fonts of the image.
    const picture = new URL(/property="og:image" content="([^"]+)"/.exec(html)?.[1] ?? '').pathname;
    assert.equal((await fetch(url + picture)).status, 200, picture);
    await runInContainer(place, healthCheck);

    // The operator's commands need neither npm nor the sources of the site.
    await runInContainer(place, ['node', 'commands/site.ts', 'export', '/data/site']);
    await access(join(dataDir, 'site/site.json'));
    await assert.rejects(runInContainer(place, ['touch', '/opt/acolhe/file']), /Read-only file system/);

    const { code, milliseconds } = await container.stop();
    assert.equal(code, 0, container.log());
    assert.ok(milliseconds < mostStopMs, `${milliseconds} ms`);
    assert.ok(!/EROFS|EACCES|Error/.test(container.log()), container.log());
    await assert.rejects(runInContainer(place, healthCheck));
  });

  it('is built from the same files in a clone, whatever else is in its folder', async () => {
    for (const path of [
      '.env',
      'server/.env',
      'data/acolhe.sqlite',
      'acolhe.env',
      'key.txt',
      'web/.env.local',
    ]) {
      await mkdir(dirname(join(clones[0], path)), { recursive: true });
      await writeFile(join(clones[0], path), 'secret');
    }
    const ofArchive = (await listContext(store, unpacked)).filter(
      (file) => !/^(?:dist\/|release\.json)/.test(file),
    );
    assert.ok(ofArchive.includes('server/main.ts') && ofArchive.includes('build/build.ts'));
    assert.deepEqual(await listContext(store, clones[0]), ofArchive);
  });
});

type Conditions = { umask: number; env: Record<string, string> };

async function makeRelease(clone: string, out: string, { umask, env }: Conditions) {
  const release = ['sh', '-c', `umask ${umask.toString(8)}; exec "$@"`, 'sh', process.execPath] as const;
  const [shell, ...args] = [...release, 'commands/release.ts', '--out', out];
  await run(shell, args, { cwd: clone, env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } });
}

/** Lists the files of a folder that a build can read. */
async function listContext(store: ImageStore, context: string): Promise<string[]> {
  const dockerfile = join(folder, 'Context');
  await writeFile(dockerfile, 'FROM scratch\nCOPY . /\n');
  const ignored = join(context, 'deploy/Dockerfile.dockerignore');
  await store.build('context', ['--file', dockerfile, '--ignorefile', ignored, context]);
  const place = await store.unpack('context');
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => file.slice(place.length + 1))
    .sort();
}
