import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Opens one connection that repeats the same request. The reader allocates as little as possible, because its
 * own garbage collection would raise the p99. Responses need a `content-length`.
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
    /** @returns milliseconds until the response is complete */
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

/**
 * Length of a response in bytes, from the headers in its first chunk.
 * @throws Error when the response is not a 200 with `content-length`
 */
function lengthOf(chunk: Buffer): number {
  const head = chunk.toString('latin1', 0, chunk.indexOf('\r\n\r\n'));
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 200 ') || length === undefined) throw new Error(`Not a 200: ${head}`);
  return head.length + 4 + Number(length);
}
