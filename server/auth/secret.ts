import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../environment.ts';

/**
 * The secret that signs session cookies: AUTH_SECRET, or one made at the first start and kept in the data folder.
 * Several instances behind one balancer need the same AUTH_SECRET.
 */
export async function readAuthSecret({ authSecret, dataDir }: Pick<Environment, 'authSecret' | 'dataDir'>) {
  if (authSecret) return authSecret;
  const file = path.join(dataDir, 'auth-secret');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(randomBytes(32).toString('base64url'));
    await handle.sync();
    await handle.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFile(file, 'utf8');
}
