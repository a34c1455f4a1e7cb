import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import { findMissingForMachine } from '#checks/test-machine.ts';
import { findNpmCache } from './images.ts';
import { run } from './run.ts';

/** A Debian 12 under systemd, with only the base of the distribution. */
export type Machine = {
  /** Runs a shell script as root, with the network of the machine that runs the tests. @returns its output */
  run(script: string): Promise<string>;
  /** Runs a program with the project's Node, in a network that has only the services of this Debian. */
  runInside(program: string): Promise<string>;
};

const lookMs = 200;

/** Returns a sentence that says why this machine cannot start another one; false if it can. */
export function whyNoMachine(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'Uma máquina de teste só pode ser montada no Linux, como root.';
  const missing = findMissingForMachine();
  return missing.length > 0 && `Para montar uma máquina de teste: sudo apt-get install ${missing.join(' ')}`;
}

/**
 * Installs a Debian system and boots it in a container. Its services have a separate network, so that they
 * occupy no port of this machine.
 * @param folders folders of this machine to copy, with the path of each copy on the new machine
 */
export async function startMachine(t: TestContext, folders: Record<string, string>): Promise<Machine> {
  const root = await mkdtemp(join(tmpdir(), 'acolhe-machine-'));
  // mkdtemp makes a folder that only root can enter, but services of the new machine have other users.
  await run('chmod', ['755', root]);
  let end = async () => {};
  t.after(async () => {
    await end();
    await rm(root, { recursive: true, force: true });
  });
  const base = '--include=systemd-sysv,dbus,ca-certificates';
  await run('mmdebstrap', ['--quiet', '--variant=important', base, 'bookworm', root]);
  for (const [from, to] of Object.entries(folders)) await cp(from, join(root, to), { recursive: true });
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates) await copyFile(certificates, join(root, 'etc/certificates'));
  else await writeFile(join(root, 'etc/certificates'), rootCertificates.join('\n'));

  const container = spawn(
    'systemd-nspawn',
    [
      ...['--quiet', '--boot', '--register=no', '--keep-unit', '--console=pipe', '--private-network'],
      ...['--resolv-conf=copy-host', '--link-journal=no', `--bind=${await findNpmCache()}:/root/.npm`],
      ...['--directory', root],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const ended = once(container, 'exit');
  const pid = await findInit(container.pid ?? 0);
  // Also ends the container when the tests end early. Killing its first process ends all its processes;
  // killing systemd-nspawn would not.
  const kill = () => process.kill(pid, 'SIGKILL');
  process.once('exit', kill);
  end = async () => {
    process.off('exit', kill);
    kill();
    await ended;
  };
  const registry = (await run('npm', ['config', 'get', 'registry'])).trim();
  const namespaces = ['--target', String(pid), '--mount', '--uts', '--ipc', '--pid', '--root', '--wd'];
  const environment = [
    ...['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root'],
    ...['DEBIAN_FRONTEND=noninteractive', 'NODE_EXTRA_CA_CERTS=/etc/certificates'],
    `npm_config_registry=${registry}`,
  ];
  const machine: Machine = {
    run: (script) => run('nsenter', [...namespaces, 'env', '-i', ...environment, 'bash', '-ec', script]),
    runInside: (program) =>
      run('nsenter', [
        '--target',
        String(pid),
        '--net',
        process.execPath,
        '--input-type=module',
        '-e',
        program,
      ]),
  };
  // `degraded` means that a unit has failed, which a container may cause.
  await machine.run(
    'until systemctl is-system-running --wait | grep -E "running|degraded"; do sleep 0.2; done',
  );
  return machine;
}

/** Waits for the first process of the container, the only child of `systemd-nspawn`. */
async function findInit(nspawn: number): Promise<number> {
  for (;;) {
    const children = await readFile(`/proc/${nspawn}/task/${nspawn}/children`, 'utf8');
    const init = Number.parseInt(children, 10);
    const command = init > 0 ? await readFile(`/proc/${init}/cmdline`, 'utf8').catch(() => '') : '';
    if (/systemd(?:\0|$)/.test(command) && !command.includes('nspawn')) return init;
    await wait(lookMs);
  }
}
