/**
 * The first step of npm scripts. In a clone it installs the packages of the lockfile and, for start, demo,
 * bench and all tests except test:unit, builds the site and the server. It repeats a step only after a
 * change. In production (an unpacked release, or NODE_ENV=production) it only checks the packages and the
 * build, and writes nothing. There, `npm run set-up` installs and builds.
 * The file is plain JavaScript, because on a new clone the machine's own Node runs it. The second step is
 * `exec env node …`, because `env`, unlike the shell, looks again for `node`, and finds the one just
 * installed. `prestart` and the like would not run, because .npmrc ignores the scripts of packages, and ours.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBuilt } from '../build/sources.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const lockFile = join(root, 'package-lock.json');
const projectNode = join(root, 'node_modules', '.bin', 'node');
const oldestNode = 20;
/** The npm scripts for developers. They need the development dependencies, even with NODE_ENV=production. */
const developing = ['test', 'test:unit', 'dev', 'bench', 'release'];

const task = process.argv[2];
const again = `npm ${task === 'start' || task === 'test' ? task : `run ${task}`}`;
/** `npm run release` writes this file into the archive. */
const isRelease = existsSync(join(root, 'release.json'));
const isProduction = isRelease || (process.env.NODE_ENV === 'production' && !developing.includes(task));

if (majorOf(process.versions.node) < oldestNode)
  stop(
    `Este computador tem o Node ${process.versions.node}; é preciso o Node ${oldestNode} ou mais novo, com o npm.`,
    'Instale uma versão atual (https://nodejs.org/pt-br/download).',
  );
if (isRelease && developing.includes(task)) {
  console.error(
    '\nEsta pasta é uma versão para produção, sem os testes: para desenvolver, clone o repositório.\n',
  );
  process.exit(1);
}

const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
/** A package that contains the project's Node. There is one per platform, all of the same version. */
const runtime = Object.values(lock.packages).find(({ bin, optional }) => optional && bin?.node);
const ownNodeWillDo = majorOf(process.versions.node) >= majorOf(runtime.version);

if (task === 'set-up') setUpForProduction();
else if (isProduction) checkForProduction();
else {
  if (!isInstalled(true)) install(true);
  const node = findNode();
  if (['start', 'test', 'demo', 'bench'].includes(task) && !isBuilt(root)) build(node);
}

/** Writes nothing, because the user who runs the server may have no write permission for the program. */
function checkForProduction() {
  const remedy = 'Digite, com o usuário dono da pasta do programa: npm run set-up.';
  if (!isInstalled(false)) stop('As dependências não estão instaladas, ou são de outra versão.', remedy);
  if (!isBuilt(root)) stop('O site não está montado, ou foi montado de outra versão.', remedy);
  if (chooseNode().node === undefined) stop('O Node das dependências não funciona neste computador.', remedy);
}

/** Prepares production. Installs the development dependencies only if dist/ must be built. */
function setUpForProduction() {
  const mustBuild = !isBuilt(root);
  if (mustBuild)
    say('O site ainda não está montado; isso precisa também das dependências de desenvolvimento.');
  if (!isInstalled(mustBuild)) install(mustBuild);
  const node = findNode();
  if (mustBuild) {
    build(node);
    install(false);
  }
  say('Pronto para produção. Para começar: npm start');
}

/**
 * True if node_modules matches the lockfile, according to npm's record of its last installation, and there is
 * a suitable Node.
 * @param {boolean} dev whether the development dependencies are needed, too
 */
function isInstalled(dev) {
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
    if (found === undefined) return wanted.optional === true || (wanted.dev === true && !dev);
    return found.version === wanted.version;
  });
}

function install(dev) {
  say(
    dev
      ? 'Instalando as dependências (só na primeira vez e quando elas mudam)…'
      : 'Instalando as dependências de produção…',
  );
  const { status, error } = runNpm([
    ...['ci', '--ignore-scripts', dev ? '--include=dev' : '--omit=dev', '--include=optional'],
    ...['--no-audit', '--no-fund', '--loglevel=error'],
  ]);
  if (error !== undefined) stop(`O npm não pôde ser chamado (${error.message}).`, 'Instale o npm.');
  if (status !== 0)
    stop(
      'A instalação das dependências não terminou; o motivo está logo acima.',
      'Confira a internet e o espaço em disco.',
    );
}

/**
 * Finds the Node that runs the project: the version of the lockfile, or the machine's own Node if that is new
 * enough and node_modules contains no Node.
 * @returns {{ node?: string, missing?: string }} `node` is absent if the Node of the lockfile does not run
 * here. `missing` is the library that it lacks, if that is the reason.
 */
function chooseNode() {
  if (process.versions.node === runtime.version) return { node: process.execPath };
  if (ownNodeWillDo && !existsSync(projectNode)) return { node: process.execPath };
  const { status, stdout, stderr } = spawnSync(projectNode, ['--version'], { encoding: 'utf8' });
  if (status === 0 && stdout.trim() === `v${runtime.version}`) return { node: projectNode };
  return { missing: /(lib[\w+-]+\.so[.\d]*): cannot open shared object/.exec(stderr ?? '')?.[1] };
}

function findNode() {
  const { node, missing } = chooseNode();
  if (node !== undefined) return node;
  if (ownNodeWillDo) {
    // Otherwise npm would use this Node of the lockfile, which does not run here.
    rmSync(projectNode, { force: true });
    return process.execPath;
  }
  if (missing !== undefined)
    stop(
      `O Node ${runtime.version}, que vem com as dependências, precisa da biblioteca ${missing}, que falta neste computador.`,
      missing.startsWith('libatomic')
        ? 'No Debian: sudo apt-get install libatomic1.'
        : 'Instale-a com o sistema.',
    );
  return stop(
    `O Node ${runtime.version}, que vem com as dependências, não funciona neste computador (${process.platform} ${process.arch}).`,
    `Instale o Node ${runtime.version} ou mais novo (https://nodejs.org/pt-br/download).`,
  );
}

function build(node) {
  say('Montando o site…');
  const { status } = spawnSync(node, [join(root, 'build', 'build.ts')], {
    cwd: root,
    // Otherwise Vite would take NODE_ENV from the environment, and build for development.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0)
    stop('O site não pôde ser montado; o motivo está logo acima.', 'Corrija o que ele aponta.');
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
