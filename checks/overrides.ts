import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Lists the overrides of package.json. `wanted` is the version that the installed Better Auth requires. */
export function listOverrides(): { name: string; given: string; wanted: string | undefined }[] {
  const { overrides } = readPackage('package.json');
  const betterAuth = readPackage('node_modules/better-auth/package.json');
  return Object.entries(overrides ?? {}).map(([name, given]) => ({
    name,
    given,
    wanted: betterAuth.dependencies?.[name],
  }));
}

type PackageFile = {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  overrides?: Record<string, string>;
};

/** @param path relative to the project's root */
export function readPackage(path: string): PackageFile {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as PackageFile;
}
