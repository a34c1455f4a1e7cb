import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium, findProgram, headlessShell } from '#build/chromium.ts';
import { findPgBouncer } from '#server/testing/peers/pgbouncer.ts';
import { findPostgresBinaries } from '#server/testing/peers/postgres.ts';
import { hasSwift } from '#server/testing/peers/swift.ts';

/**
 * Something that tests need: how to see that it is there, and the packages of Debian and Homebrew that have
 * it.
 */
type Need = { what: string; isThere: () => boolean; debian: string[]; homebrew?: string | undefined };

const browser: Need = {
  what: 'um navegador Chromium, Chrome ou Edge',
  isThere: () => findChromium() !== undefined,
  debian: ['chromium', 'fonts-liberation'],
};
const ofFullLevel: Need[] = [
  {
    what: 'os programas do PostgreSQL (initdb e postgres)',
    isThere: () => findPostgresBinaries() !== undefined,
    debian: ['postgresql'],
    homebrew: 'postgresql',
  },
  {
    what: 'o PgBouncer',
    isThere: () => findPgBouncer() !== undefined,
    debian: ['pgbouncer'],
    homebrew: 'pgbouncer',
  },
  {
    what: 'o OpenStack Swift, que fala S3',
    isThere: hasSwift,
    debian: ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'],
  },
  program('o age, que abre os backups', 'age', 'age', 'age'),
  program('o Caddy', 'caddy', 'caddy', 'caddy'),
  program('o promtool', 'promtool', 'prometheus', 'prometheus'),
  program('o HAProxy', 'haproxy', 'haproxy', 'haproxy'),
  // Only Linux has systemd.
  ...(process.platform === 'linux' ? [program('o systemd-analyze', 'systemd-analyze', 'systemd')] : []),
];
const ofHardTests: Need = {
  what: 'o faketime',
  isThere: () => findFaketime() !== undefined,
  debian: ['faketime'],
};
const ofSeveral: Need[] = [
  program('o HAProxy', 'haproxy', 'haproxy'),
  program('o Patroni', 'patroni', 'patroni'),
  program('o etcd', 'etcd', 'etcd-server'),
];

function program(what: string, name: string, debian: string, homebrew?: string): Need {
  return { what, isThere: () => findSystemProgram(name) !== undefined, debian: [debian], homebrew };
}

/**
 * Installs Chromium, unless a Chromium, Chrome or Edge is found, with apt-get and as root only.
 * @throws Error with the command to run, if it is still missing
 */
export function prepareBrowser() {
  // Some releases of Debian have no separate package of the headless shell.
  if (!browser.isThere()) installFromDebian([headlessShell, 'fonts-liberation']);
  provide([browser]);
}

/**
 * Installs the programs that the full level also needs: PostgreSQL, PgBouncer, OpenStack Swift as an S3
 * server, age, and the programs that check the files in deploy/.
 * @throws Error with the commands to run, if a program is still missing
 */
export function prepareFullLevel() {
  provide(ofFullLevel);
}

/**
 * Installs what `npm run test:hard` also needs: faketime, which changes the clock of one process.
 * @throws Error with the command to run, if it is still missing
 */
export function prepareForHardTests() {
  provide([ofHardTests]);
}

/**
 * Installs what `npm run test:several` also needs: HAProxy, and Patroni with etcd, which decide which
 * PostgreSQL server is the primary.
 * @throws Error with the commands to run, if a program is still missing
 */
export function prepareForSeveral() {
  provide(ofSeveral);
}

function provide(needs: Need[]) {
  const findMissing = () => needs.filter(({ isThere }) => !isThere());
  const packages = findMissing().flatMap(({ debian }) => debian);
  if (packages.length > 0)
    withoutStartingServices(() => {
      installFromDebian(packages);
      for (const name of packages.filter((one) => one !== 'systemd'))
        spawnSync('systemctl', ['disable', name], { stdio: 'ignore' });
    });
  const missing = findMissing();
  if (missing.length === 0) return;
  const homebrew = missing.flatMap((need) => need.homebrew ?? []);
  throw new Error(
    [
      `Os testes precisam de: ${missing.map(({ what }) => what).join('; ')}. Isso não foi encontrado.`,
      `No Debian: sudo apt-get install ${missing.flatMap(({ debian }) => debian).join(' ')}`,
      ...(homebrew.length > 0 ? [`No macOS: brew install ${homebrew.join(' ')}`] : []),
      ...(missing.includes(browser) ? ['Em outro lugar do disco: CHROMIUM_PATH=/caminho npm test'] : []),
    ].join('\n'),
  );
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
  const packages = [...new Set([...missing, ...findMissingForMachine()])];
  if (packages.length > 0) installFromDebian(packages);
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

/**
 * Installs packages without the services that they start by default. Debian's packages call `policy-rc.d`
 * before they start a service, and its exit code 101 forbids the start.
 */
function withoutStartingServices(install: () => void) {
  const policy = '/usr/sbin/policy-rc.d';
  const clusters = '/etc/postgresql-common/createcluster.d';
  if (!mayInstall() || existsSync(policy)) return install();
  mkdirSync(clusters, { recursive: true });
  const noCluster = join(clusters, 'acolhe-tests.conf');
  writeFileSync(noCluster, 'create_main_cluster = false\n');
  writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    install();
  } finally {
    rmSync(policy, { force: true });
    rmSync(noCluster, { force: true });
  }
}

function installFromDebian(packages: string[]) {
  if (!mayInstall()) return;
  console.log(`\nInstalando ${packages.join(', ')} com o apt-get…`);
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
