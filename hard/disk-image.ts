import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';

const diskMegabytes = 96;

/**
 * A file system in a disk image in memory. The image contains only what the kernel has written to this disk;
 * everything else is in the kernel's page cache, which a power cut would erase. Needs root and loop devices.
 */
export async function createDisk(t: TestContext) {
  const images = await mkdtemp('/dev/shm/acolhe-power-cut-');
  const folder = await mkdtemp(path.join(tmpdir(), 'acolhe-power-cut-'));
  const image = path.join(images, 'disk.img');
  t.after(async () => {
    spawnSync('umount', ['--lazy', folder]);
    await rm(images, { recursive: true, force: true });
    await rm(folder, { recursive: true, force: true });
  });
  execFileSync('truncate', ['--size', `${diskMegabytes}M`, image]);
  execFileSync('mkfs.ext4', ['-q', '-F', image]);
  // Lets ext4 write its journal only on a flush or every 300 s, so that less reaches the disk by chance.
  const mount = () => execFileSync('mount', ['-o', 'loop,commit=300,errors=remount-ro', image, folder]);
  mount();
  await mkdir(path.join(folder, 'data'), { recursive: true });
  execFileSync('sync', ['--file-system', folder]);

  return {
    folder,
    /** Simulates a disk error, after which the kernel makes the file system read-only. */
    fail() {
      const [device = ''] = execFileSync('findmnt', ['--noheadings', '--output', 'SOURCE', folder], {
        encoding: 'utf8',
      }).split('\n');
      writeFileSync(`/sys/fs/ext4/${path.basename(device)}/trigger_fs_error`, 'test');
    },
    /** Repairs the file system after `fail`. No process may use it. */
    repair() {
      execFileSync('umount', [folder]);
      spawnSync('fsck.ext4', ['-p', image]);
      mount();
    },
    /**
     * Simulates a power cut: copies the image while the process is stopped, then mounts the copy instead.
     * @param end ends the process once the copy is made
     */
    async cutPower(pid: number, end?: () => Promise<void>) {
      if (end) await standStill(pid);
      const copy = path.join(images, 'copy.img');
      await copyAtRest(image, copy);
      await end?.();
      execFileSync('umount', [folder]);
      await rename(copy, image);
      mount();
    },
  };
}

/** Stops all threads of a process. */
async function standStill(pid: number) {
  process.kill(pid, 'SIGSTOP');
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const stat = () => readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
    // The third field is the state; T means stopped, see proc(5).
    while (!/^\d+ \(.*\) T /.test(stat()));
  }
}

/** Copies a file until two copies are equal, which means that the kernel wrote nothing in between. */
async function copyAtRest(from: string, to: string) {
  const second = `${to}.second`;
  for (;;) {
    await copyFile(from, to);
    await copyFile(from, second);
    if (spawnSync('cmp', ['--silent', to, second]).status === 0) break;
  }
  await rm(second);
}
