import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The last bytes of PostgreSQL's message for `commit`. */
const commit = Buffer.from('commit\0');

/**
 * Forwards connections to PostgreSQL, and breaks the first one that sends `words`, by default `commit`. Later
 * connections do not break.
 * @param target the port of PostgreSQL
 * @param when the connection breaks `before` the server gets the bytes, or `after` it has executed them but
 * before the client gets the response
 * @returns the port of the network, and whether it has broken a connection
 */
export async function startBreakingNetwork(
  t: { after(step: () => void): void },
  target: number,
  when: 'before' | 'after',
  words: Buffer | string = commit,
): Promise<{ port: number; hasBroken(): boolean }> {
  let broken = false;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    let ending = false;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.on('data', (chunk: Buffer) => {
      if (!broken && chunk.includes(words)) {
        broken = true;
        ending = true;
        if (when === 'before') return end();
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (ending) end();
      else client.write(chunk);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, hasBroken: () => broken };
}
