import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from './run.ts';

const root = join(import.meta.dirname, '..', '..');

/**
 * Makes a repository with one commit of the project's current files, and a clone of it. The commit includes
 * uncommitted changes, so that tests see them. Both use the project's packages.
 */
export async function cloneTwice(first: string, second: string): Promise<void> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  for (const path of (await git(root, ...list)).split('\0').filter((one) => one !== '')) {
    await mkdir(dirname(join(first, path)), { recursive: true });
    // A file may be deleted and its deletion not committed yet.
    await cp(join(root, path), join(first, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  await git(first, 'init', '--quiet');
  await git(first, 'add', '--all');
  await git(first, 'commit', '--quiet', '--message=release');
  await git(dirname(second), 'clone', '--quiet', first, second);
  for (const clone of [first, second]) await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
}

function git(cwd: string, ...args: string[]): Promise<string> {
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  // Passes on no other variables, because a user's Git settings or a hook's GIT_DIR would change the result.
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null' };
  return run('git', [...identity, ...args], { cwd, env });
}
