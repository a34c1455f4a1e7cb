// Plain JavaScript, because commands/set-up.mjs runs with the machine's own Node.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files and folders from which dist/ is built. */
const sources = [
  ...['web', 'client', 'contract', 'clinic', 'server', 'build'],
  ...['package.json', 'package-lock.json'],
];
/** Leaves out tests and hidden files such as `.DS_Store`, because they do not change the build. */
const noSource = /(?:^|[\\/])(?:testing[\\/]|\.)|\.test\.tsx?$/;

/**
 * Returns a hash of everything that dist/ is built from.
 * @param {string} root
 */
export function hashSources(root) {
  const hash = createHash('sha256');
  for (const source of sources.flatMap((path) => listFiles(root, path))) {
    const content = readFileSync(join(root, source));
    hash.update(`${source}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * True if dist/ was built from the present sources.
 * @param {string} root
 */
export function isBuilt(root) {
  const file = recordOf(root);
  return existsSync(file) && readFileSync(file, 'utf8') === hashSources(root);
}

/**
 * Records what dist/ was built from.
 * @param {string} root
 * @param {string} sources what `hashSources` returned before the build
 */
export function noteBuilt(root, sources) {
  writeFileSync(recordOf(root), sources);
}

function recordOf(root) {
  return join(root, 'dist', 'built-from');
}

function listFiles(root, path) {
  if (!existsSync(join(root, path))) return [];
  if (/\.[a-z]+$/.test(path)) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .filter((file) => !noSource.test(file))
    .sort();
}
