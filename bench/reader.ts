import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * One connection that asks for the same again and again, and does as little as possible itself: what it leaves to its
 * own garbage collector would be among the slowest hundredth. For answers with a length.
 */
export async function openReader(url: string, headers: Record<string, string>) {
  const { hostname, port, host, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let waiting = Promise.withResolvers<void>();
  let bytesLeft = 0;

  socket.on('data', (chunk: Buffer) => {
    bytesLeft = (bytesLeft || lengthOf(chunk)) - chunk.length;
    if (bytesLeft === 0) waiting.resolve();
  });
  socket.on('error', (error) => waiting.reject(error));
  socket.on('close', () => waiting.reject(new Error('The server has closed the connection.')));

  return {
    /** @returns milliseconds until the whole answer was there */
    async read(): Promise<number> {
      const asked = performance.now();
      waiting = Promise.withResolvers();
      socket.write(request);
      await waiting.promise;
      return performance.now() - asked;
    },
    close: () => socket.destroy(),
  };
}

/** Bytes of an answer, by the head with which its first chunk begins. @throws Error when it is not a 200 */
function lengthOf(chunk: Buffer): number {
  const head = chunk.toString('latin1', 0, chunk.indexOf('\r\n\r\n'));
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 200 ') || length === undefined) throw new Error(`Not a 200: ${head}`);
  return head.length + 4 + Number(length);
}
