/**
 * `npm run release [-- --out FOLDER]`: writes a release of the last commit: an archive with the sources and
 * the build, a list of its packages (SBOM), and the checksums of both files. Two runs write the same
 * bytes.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { create } from 'tar';
import { StartError } from '#server/environment.ts';
import { type Commit, exportCommit, requireCommitted } from './release/export-commit.ts';
import { type Lockfile, makeSbom } from './release/sbom.ts';
import { sizeText } from './terminal/progress.ts';
import { runCommand } from './terminal/run-command.ts';

type ReleaseFile = { name: string; content: Buffer };

const root = join(import.meta.dirname, '..');

await runCommand(release, () => ({
  stopped: 'Parado. A versão não foi feita.',
  failed: 'A versão não foi feita.',
}));

async function release(signal: AbortSignal): Promise<string> {
  const out = readOut();
  const commit = requireCommitted(root, out);
  // The modes in the archive must not depend on the umask of the person who makes the release.
  process.umask(0o022);
  const folder = mkdtempSync(join(tmpdir(), 'acolhe-release-'));
  chmodSync(folder, 0o755);
  try {
    const sources = exportCommit(root, commit, folder);
    const lock = readLockfile(folder);
    const { version } = lock;
    const sbom = `${JSON.stringify(makeSbom(lock, commit.seconds), null, 2)}\n`;
    await buildSite(folder, signal);
    const archive = packRelease(folder, { sources, version, commit });
    const stem = `acolhe-${version}`;
    writeRelease(out, [
      { name: `${stem}.tar.gz`, content: archive },
      { name: `${stem}.cdx.json`, content: Buffer.from(sbom) },
    ]);
    return `Versão ${version} (commit ${commit.id.slice(0, 12)}) em ${out}: ${stem}.tar.gz com ${sizeText(archive.length)}, ${stem}.cdx.json e SHA256SUMS.`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readOut(): string {
  try {
    const { values } = parseArgs({ options: { out: { type: 'string', default: 'release' } } });
    if (values.out !== '') return resolve(values.out);
  } catch {
    // The error below says which arguments are allowed.
  }
  throw new StartError('Escreva assim: npm run release, ou npm run release -- --out PASTA');
}

/**
 * Builds from the exported sources, because Git-ignored files of the clone would change the sources' hash.
 */
async function buildSite(folder: string, signal: AbortSignal): Promise<void> {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const build = spawn(process.execPath, [join(folder, 'build', 'build.ts')], {
    cwd: folder,
    // The settings of the person who makes the release, such as NODE_ENV and VITE_*, must not change the
    // site.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_ENV: 'production', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'inherit'],
    signal,
  });
  const [code] = await once(build, 'close');
  if (code !== 0) throw new StartError('O site não pôde ser montado; o motivo está logo acima.');
}

type Contents = { sources: string[]; version: string; commit: Commit };

/** Packs the files with fixed owners, modes and times, so that the same files always give the same bytes. */
function packRelease(folder: string, { sources, version, commit }: Contents): Buffer {
  const built = readdirSync(join(folder, 'dist'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify({ version, commit: commit.id })}\n`);
  const files = [...sources, ...built, 'release.json'];
  // Folders have entries, too, so that their modes do not depend on the umask of the person who unpacks.
  const folders = new Set(
    files.flatMap((file) => [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index))),
  );
  const packed = create(
    {
      ...{ cwd: folder, prefix: `acolhe-${version}`, noDirRecurse: true, sync: true },
      ...{ portable: true, mtime: new Date(commit.seconds * 1_000), gzip: { level: 9 } },
      onWriteEntry(entry) {
        // Without this, folders get the time 0.
        entry.noMtime = false;
      },
    },
    ['.', ...[...folders, ...files].sort()],
  ).read();
  if (!packed) throw new Error('The archive is empty.');
  return packed;
}

/** Writes the files and then their checksums, so that an interrupted run leaves no checksums. */
function writeRelease(out: string, files: ReleaseFile[]): void {
  mkdirSync(out, { recursive: true });
  rmSync(join(out, 'SHA256SUMS'), { force: true });
  const sums = files.map(({ name, content }) => `${sha256(content)}  ${name}\n`).join('');
  for (const { name, content } of [...files, { name: 'SHA256SUMS', content: Buffer.from(sums) }]) {
    // Two runs at once must not rename each other's files.
    const part = join(out, `${name}.${process.pid}.part`);
    try {
      writeFileSync(part, content);
      renameSync(part, join(out, name));
    } finally {
      rmSync(part, { force: true });
    }
  }
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Reads the lockfile. @throws StartError when package.json has another version than the lockfile */
function readLockfile(folder: string): Lockfile {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Lockfile;
  const [lock, { version }] = [read('package-lock.json'), read('package.json')];
  if (lock.version === version) return lock;
  throw new StartError(
    `package.json é da versão ${version}, e package-lock.json da ${lock.version}: rode npm install --package-lock-only e faça o commit.`,
  );
}
