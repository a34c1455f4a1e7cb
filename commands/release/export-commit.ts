import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { StartError } from '#server/environment.ts';

export type Commit = {
  id: string;
  /** Seconds since 1970. */
  seconds: number;
};

/** Files that only development needs. The site's sources stay, because `isBuilt` reads them all. */
const onlyDevelopment = [
  /^(?:\.ci|\.github|bench|checks|deploy\/several|e2e|hard)\//,
  /(?:^|\/)testing(?:\/|\.ts$)/,
  /\.(?:test|spec)\.(?:tsx?|yml)$/,
  /^commands\/(?:dev|release|test)\.ts$|^commands\/release\//,
  /^(?:\.editorconfig|\.gitattributes|\.gitignore|biome\.json)$/,
];

/** True if an archive contains this file of the repository. */
export function isReleased(path: string): boolean {
  return !onlyDevelopment.some((pattern) => pattern.test(path));
}

/**
 * Returns the commit of HEAD.
 * @param out the folder of releases. It may be inside the repository; its files need not be committed
 * @throws StartError when a file is not committed
 */
export function requireCommitted(root: string, out: string): Commit {
  const place = relative(root, out);
  const except = place === '' || place.startsWith('..') ? [] : [`:(exclude,top,literal)${place}`];
  const [changed] = git(root, ['status', '--porcelain', '--untracked-files=all', '--', '.', ...except])
    .split('\n')
    .filter((line) => line !== '');
  if (changed !== undefined)
    throw new StartError(
      `Há uma mudança sem commit (${changed.slice(3)}): faça o commit ou desfaça, e rode de novo.`,
    );
  const [id = '', seconds] = git(root, ['log', '-1', '--format=%H %ct']).trim().split(' ');
  return { id, seconds: Number(seconds) };
}

/**
 * Writes the files of a commit that belong to a release into `folder`.
 * @returns their paths
 */
export function exportCommit(root: string, commit: Commit, folder: string): string[] {
  // Uses a separate index, because the repository's index may change meanwhile.
  const env = { GIT_INDEX_FILE: join(folder, '.index') };
  git(root, ['read-tree', commit.id], { env });
  const paths = git(root, ['ls-files', '-z'], { env }).split('\0').filter(isExported);
  git(root, ['checkout-index', '-z', '--stdin', `--prefix=${folder}/`], { env, input: paths.join('\0') });
  return paths;
}

const isExported = (path: string) => path !== '' && isReleased(path);

function git(cwd: string, args: string[], options: { env?: Record<string, string>; input?: string } = {}) {
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
    env: { ...process.env, ...options.env },
    ...(options.input === undefined ? {} : { input: options.input }),
  });
  if (error) throw new StartError('O Git não foi encontrado: instale-o.', { cause: error });
  if (status !== 0) throw new StartError(`O Git não fez "git ${args[0]}": ${stderr.trim()}`);
  return stdout;
}
