import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of the program, with package.json. It is not derived from the path of this file, because
 * `npm start` runs the bundle of the server in dist/server, while other programs run the sources.
 */
export const programFolder = path.dirname(
  path.dirname(fileURLToPath(import.meta.resolve('#server/main.ts'))),
);

/** Returns the version of this program, such as `1.2.0`. */
export function programVersion(): string {
  const file = path.join(programFolder, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
