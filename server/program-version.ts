import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the version of this program, such as `1.2.0`. */
export function programVersion(): string {
  const file = path.join(import.meta.dirname, '../package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
