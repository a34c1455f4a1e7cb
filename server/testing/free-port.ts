import { once } from 'node:events';
import { createServer } from 'node:net';

// These ports are below the range that the system gives to clients and to listeners on port 0, so that none
// of them takes a port before its program listens. They are above the ports that Chromium refuses.
const firstPort = 11_000;
const portCount = 21_000;
const portsPerProcess = 20;

/** Test files run at the same time, so each process starts at other ports. */
let next = process.pid * portsPerProcess;

/** Finds a port of the loopback interface on which no program listens, a different one with each call. */
export async function findFreePort(): Promise<number> {
  const port = firstPort + (next++ % portCount);
  const probe = createServer().listen(port);
  try {
    await once(probe, 'listening');
  } catch {
    return findFreePort();
  }
  probe.close();
  await once(probe, 'close');
  return port;
}
