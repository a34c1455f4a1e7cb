import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium, findProgram, headlessShell } from '#build/chromium.ts';
import { findPgBouncer } from '#server/testing/pgbouncer.ts';
import { findPostgresBinaries } from '#server/testing/postgres.ts';
import { hasSwift } from '#server/testing/swift.ts';

/** Maps programs to their packages. Only Linux has systemd. */
const configurationPrograms = {
  caddy: 'caddy',
  promtool: 'prometheus',
  haproxy: 'haproxy',
  ...(process.platform === 'linux' && { 'systemd-analyze': 'systemd' }),
};
const swiftPackages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'];

/**
 * Installs Chromium, unless a Chromium, Chrome or Edge is found. It can install only as root and with apt-get.
 * @throws Error with the commands to run, if it is still missing
 */
export function prepareBrowser() {
  if (findChromium() !== undefined) return;
  installFromDebian('o navegador Chromium', [headlessShell, 'fonts-liberation']);
  // Some releases of Debian have no separate package of the headless shell.
  if (findChromium() === undefined)
    installFromDebian('o navegador Chromium', ['chromium', 'fonts-liberation']);
  if (findChromium() === undefined)
    throw new Error(
      'Os testes precisam do navegador Chromium, Chrome ou Edge, e ele não foi encontrado.\n' +
        'No Debian: sudo apt-get install chromium\n' +
        'Em outro lugar do disco: CHROMIUM_PATH=/caminho/do/chromium npm test',
    );
}

/**
 * Installs the programs that the full level also needs: PostgreSQL, PgBouncer, OpenStack Swift as an S3 server,
 * age, Caddy, HAProxy, Prometheus's promtool and systemd-analyze.
 * @throws Error with the commands to run, if a program is still missing
 */
export function prepareFullLevel() {
  if (findPostgresBinaries() === undefined) {
    installPostgres();
    if (findPostgresBinaries() === undefined)
      throw new Error(
        'Os testes precisam dos programas do PostgreSQL (initdb e postgres), e eles não foram encontrados.\n' +
          'No Debian: sudo apt-get install postgresql\nNo macOS: brew install postgresql',
      );
  }
  if (findPgBouncer() === undefined) {
    installFromDebian('o PgBouncer', ['pgbouncer']);
    if (findPgBouncer() === undefined)
      throw new Error(
        'Os testes precisam do PgBouncer, e ele não foi encontrado.\n' +
          'No Debian: sudo apt-get install pgbouncer\nNo macOS: brew install pgbouncer',
      );
  }
  if (!hasSwift()) {
    installFromDebian('o OpenStack Swift, que fala S3', swiftPackages);
    if (!hasSwift())
      throw new Error(
        'Os testes precisam do OpenStack Swift, e ele não foi encontrado.\n' +
          `No Debian: sudo apt-get install ${swiftPackages.join(' ')}`,
      );
  }
  if (findProgram('age') === undefined) {
    installFromDebian('o age, que abre os backups', ['age']);
    if (findProgram('age') === undefined)
      throw new Error(
        'Os testes precisam do age, e ele não foi encontrado.\n' +
          'No Debian: sudo apt-get install age\nNo macOS: brew install age',
      );
  }
  prepareForConfiguration();
}

/** Installs the programs that check the files in deploy/. Their services must not start on this machine. */
function prepareForConfiguration() {
  const packages = Object.entries(configurationPrograms);
  const missing = () => packages.filter(([program]) => findSystemProgram(program) === undefined);
  if (missing().length === 0) return;
  withoutStartingServices(() => {
    const names = missing().map(([, name]) => name);
    installFromDebian('os programas que conferem deploy/', names);
    for (const name of names.filter((one) => one !== 'systemd'))
      spawnSync('systemctl', ['disable', name], { stdio: 'ignore' });
  });
  const absent = missing();
  if (absent.length > 0)
    throw new Error(
      `Os testes precisam de ${absent.map(([program]) => program).join(', ')}, e isso não foi encontrado.\n` +
        `No Debian: sudo apt-get install ${absent.map(([, name]) => name).join(' ')}\n` +
        'No macOS: brew install caddy prometheus haproxy',
    );
}

/**
 * Installs what `npm run test:hard` also needs: faketime, which changes the clock of one process.
 * @throws Error with the command to run, if it is still missing
 */
export function prepareForHardTests() {
  if (findFaketime() !== undefined) return;
  installFromDebian('o faketime', ['faketime']);
  if (findFaketime() === undefined)
    throw new Error(
      'Os testes precisam do faketime, e ele não foi encontrado.\nNo Debian: sudo apt-get install faketime',
    );
}

const severalPackages = ['haproxy', 'patroni', 'etcd-server'];

/**
 * Installs what `npm run test:several` also needs: HAProxy, and Patroni with etcd, which decide which
 * PostgreSQL server is the primary.
 * @throws Error with the command to run, if a program is still missing
 */
export function prepareForSeveral() {
  if (hasProgramsForSeveral()) return;
  installFromDebian('o HAProxy, o Patroni e o etcd', severalPackages);
  if (!hasProgramsForSeveral())
    throw new Error(
      'Os testes precisam do HAProxy, do Patroni e do etcd, e eles não foram encontrados.\n' +
        `No Debian: sudo apt-get install ${severalPackages.join(' ')}`,
    );
}

function hasProgramsForSeveral(): boolean {
  return ['haproxy', 'patroni', 'etcd'].every((program) => findSystemProgram(program) !== undefined);
}

/** Debian installs HAProxy in a folder that only root has on the PATH. */
const findSystemProgram = (name: string) => findProgram(name) ?? findProgram(`/usr/sbin/${name}`);

/**
 * Installs what `npm run test:deploy` also needs: Buildah, which builds the image; mmdebstrap, which makes
 * the Debian system on which the image is based; and systemd-nspawn and nsenter, which boot a Debian system
 * and run commands in it. The tests of a program that is still missing are skipped.
 */
export function prepareForDeployTests() {
  const missing = findMissingForImages();
  if (missing.length > 0) installFromDebian('os programas que montam a imagem', missing);
  const missingForMachine = findMissingForMachine();
  if (missingForMachine.length > 0)
    installFromDebian('os programas que começam uma máquina de teste', missingForMachine);
}

/** Returns the programs that are missing to build an image. Their packages have the same names. */
export function findMissingForImages(): string[] {
  return ['buildah', 'mmdebstrap'].filter((program) => findProgram(program) === undefined);
}

/** Returns the packages that are missing to boot a new Debian in a container. */
export function findMissingForMachine(): string[] {
  const packages = {
    mmdebstrap: 'mmdebstrap',
    'systemd-nspawn': 'systemd-container',
    nsenter: 'util-linux',
  };
  const missing = Object.entries(packages).filter(([program]) => findProgram(program) === undefined);
  return missing.map(([, name]) => name);
}

/** Returns the library that a process loads to get another clock. */
export function findFaketime(): string | undefined {
  return globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0];
}

/** Installs PostgreSQL without the server that Debian's package creates and starts by default. */
function installPostgres() {
  const settings = '/etc/postgresql-common/createcluster.d';
  const noCluster = join(settings, 'acolhe-tests.conf');
  if (!mayInstall()) return;
  mkdirSync(settings, { recursive: true });
  writeFileSync(noCluster, 'create_main_cluster = false\n');
  try {
    installFromDebian('o PostgreSQL', ['postgresql']);
  } finally {
    rmSync(noCluster, { force: true });
  }
}

/** Debian's packages call `policy-rc.d` before they start a service. Its exit code 101 forbids the start. */
function withoutStartingServices(install: () => void) {
  const policy = '/usr/sbin/policy-rc.d';
  if (!mayInstall() || existsSync(policy)) return install();
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    install();
  } finally {
    rmSync(policy, { force: true });
  }
}

function installFromDebian(what: string, packages: string[]) {
  if (!mayInstall()) return;
  console.log(`\nInstalando ${what} (${packages.join(', ')}) com o apt-get…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ])
    spawnSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

function mayInstall(): boolean {
  return process.getuid?.() === 0 && findProgram('apt-get') !== undefined;
}
