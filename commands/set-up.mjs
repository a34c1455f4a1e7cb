/**
 * Runs before npm scripts. Installs the packages of the lockfile and, for start, test, demo and bench, builds
 * the site. Repeats each only after a change. The file is plain JavaScript, because on a new clone the
 * machine's own Node runs it. After the installation, npm finds the project's Node in node_modules/.bin.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockFile = join(root, 'package-lock.json');
const projectNode = join(root, 'node_modules', '.bin', 'node');
const builtFrom = join(root, 'dist', 'built-from');
/** The sources of dist/. */
const siteSources = [
  ...['web', 'client', 'contract', 'clinic', 'build'],
  ...['package.json', 'package-lock.json'],
];
const oldestNode = 20;

const task = process.argv[2];
const again = `npm ${task === 'start' || task === 'test' ? task : `run ${task}`}`;

if (majorOf(process.versions.node) < oldestNode)
  stop(
    `Este computador tem o Node ${process.versions.node}; é preciso o Node ${oldestNode} ou mais novo, com o npm.`,
    'Instale uma versão atual (https://nodejs.org/pt-br/download).',
  );

const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
/** The package that contains the project's Node: one per platform, all with the same version. */
const runtime = Object.values(lock.packages).find(({ bin, optional }) => optional && bin?.node);
const ownNodeWillDo = majorOf(process.versions.node) >= majorOf(runtime.version);
if (!isInstalled()) install();
const node = findNode();
if (['start', 'test', 'demo', 'bench'].includes(task)) build();

/** Whether node_modules matches the lockfile, according to npm's record of its last installation. */
function isInstalled() {
  if (!existsSync(projectNode) && !ownNodeWillDo) return false;
  let installed;
  try {
    installed = JSON.parse(readFileSync(join(root, 'node_modules', '.package-lock.json'), 'utf8')).packages;
  } catch {
    return false;
  }
  return Object.entries(lock.packages).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    // Most optional packages are for other platforms.
    return found === undefined ? wanted.optional === true : found.version === wanted.version;
  });
}

function install() {
  say('Instalando as dependências (só na primeira vez e quando elas mudam)…');
  const { status, error } = runNpm([
    ...['ci', '--ignore-scripts', '--include=dev', '--include=optional'],
    ...['--no-audit', '--no-fund', '--loglevel=error'],
  ]);
  if (error !== undefined) stop(`O npm não pôde ser chamado (${error.message}).`, 'Instale o npm.');
  if (status !== 0)
    stop(
      'A instalação das dependências não terminou; o motivo está logo acima.',
      'Confira a internet e o espaço em disco.',
    );
}

/** The Node that runs the project: that of the lockfile, or the machine's own if it is at least as new. */
function findNode() {
  if (process.versions.node === runtime.version) return process.execPath;
  const { status, stdout } = spawnSync(projectNode, ['--version'], { encoding: 'utf8' });
  if (status === 0 && stdout.trim() === `v${runtime.version}`) return projectNode;
  if (ownNodeWillDo) {
    // Otherwise npm would find the Node of the lockfile first, which does not run here.
    rmSync(projectNode, { force: true });
    return process.execPath;
  }
  return stop(
    `O Node ${runtime.version}, que vem com as dependências, não funciona neste computador (${process.platform} ${process.arch}).`,
    `Instale o Node ${runtime.version} ou mais novo (https://nodejs.org/pt-br/download).`,
  );
}

function build() {
  const sources = hashSources();
  if (existsSync(builtFrom) && readFileSync(builtFrom, 'utf8') === sources) return;
  say('Montando o site…');
  rmSync(builtFrom, { force: true });
  const { status } = spawnSync(node, [join(root, 'build', 'build.ts')], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0)
    stop('O site não pôde ser montado; o motivo está logo acima.', 'Corrija o que ele aponta.');
  writeFileSync(builtFrom, sources);
}

function hashSources() {
  const hash = createHash('sha256');
  for (const source of siteSources.flatMap(listFiles)) {
    const content = readFileSync(join(root, source));
    hash.update(`${source}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function listFiles(path) {
  if (!existsSync(join(root, path))) return [];
  if (/\.[a-z]+$/.test(path)) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort();
}

/** Calls the npm that called this script, otherwise the npm on PATH. */
function runNpm(args) {
  const cli = process.env.npm_execpath ?? '';
  const options = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] };
  return cli.endsWith('npm-cli.js')
    ? spawnSync(process.execPath, [cli, ...args], options)
    : spawnSync('npm', args, options);
}

function majorOf(version) {
  return Number.parseInt(version, 10);
}

function say(sentence) {
  console.log(`\n${sentence}`);
}

function stop(reason, remedy) {
  console.error(`\n${reason}\n${remedy} Depois digite de novo: ${again}\n`);
  process.exit(1);
}
