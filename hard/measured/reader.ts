import { once } from 'node:events';
import { connect } from 'node:net';

/** What the head of a response says. Lengths are in bytes. */
type Answer = { status: number; headLength: number; bodyLength: number };

/**
 * Opens one connection that sends requests one after the other. It allocates as little as possible, because
 * garbage collection in the client would raise the p99. Responses need a `content-length`.
 */
export async function openConnection(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  let waiting = Promise.withResolvers<number>();
  let answer: Answer | undefined;
  let received = 0;

  socket.on('data', (chunk: Buffer) => {
    try {
      answer ??= readHead(chunk);
    } catch (error) {
      waiting.reject(error);
      return;
    }
    received += chunk.length;
    if (received < answer.headLength + answer.bodyLength) return;
    const { status } = answer;
    answer = undefined;
    received = 0;
    waiting.resolve(status);
  });
  socket.on('error', (error) => waiting.reject(error));
  socket.on('close', () => waiting.reject(new Error('The server has closed the connection.')));

  return {
    /** Sends the whole request. @returns the status, once the response is complete */
    send(request: string | Buffer): Promise<number> {
      waiting = Promise.withResolvers();
      socket.write(request);
      return waiting.promise;
    },
    close: () => socket.destroy(),
  };
}

/** Opens a connection. Each `read` sends the same request; a status other than 200 is an error. */
export async function openReader(url: string, headers: Record<string, string>) {
  const { host, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const connection = await openConnection(url);

  return {
    /** @returns milliseconds until the response is complete */
    async read(): Promise<number> {
      const asked = performance.now();
      const status = await connection.send(request);
      if (status !== 200) throw new Error(`${url} answered with ${status}.`);
      return performance.now() - asked;
    },
    close: connection.close,
  };
}

/** @throws Error when the response has no `content-length` */
function readHead(chunk: Buffer): Answer {
  const head = chunk.toString('latin1', 0, chunk.indexOf('\r\n\r\n'));
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 ') || length === undefined) throw new Error(`No content-length: ${head}`);
  return { status: Number(head.slice(9, 12)), headLength: head.length + 4, bodyLength: Number(length) };
}
