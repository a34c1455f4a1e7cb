import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections (32768 and up on Linux, 49152 and up elsewhere).
 */
const firstPort = 15_000;
const lastPort = 32_000;
const given = new Set<number>();

/**
 * Finds a free port of the loopback interface for a program that will start on it more than once. No outgoing
 * connection can take it while the program does not run.
 */
export async function reservePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, lastPort);
    if (given.has(port)) continue;
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await Promise.race([
      once(probe, 'listening').then(() => true),
      once(probe, 'error').then(() => false),
    ]).catch(() => false);
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    given.add(port);
    return port;
  }
}
