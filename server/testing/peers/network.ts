import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * `forward` passes all bytes on. `swallow` accepts connections and bytes and sends nothing, like a firewall
 * that drops packets: open connections stay open and silent. `refuse` closes every connection. `fail` closes
 * the open connections and responds to requests on new ones with HTTP status 500. `cut` ends each connection
 * after the headers of the first HTTP response.
 */
type Mode = 'forward' | 'swallow' | 'refuse' | 'fail' | 'cut';

/** A network that can fail, between a program and its server. */
export type FaultyNetwork = {
  port: number;
  /** The number of accepted connections. */
  taken(): number;
  /** The number of bytes that clients have sent. */
  receivedBytes(): number;
  set(mode: Mode): void;
};

/** Listens on a free port of the loopback interface. Forwards to the port `target` until the mode changes. */
export async function startNetwork(
  t: { after(step: () => void): void },
  target: number,
): Promise<FaultyNetwork> {
  let mode: Mode = 'forward';
  let taken = 0;
  let receivedBytes = 0;
  const open = new Set<Connection>();
  const server = createServer((client) => {
    taken += 1;
    if (mode === 'refuse') client.destroy();
    else open.add(join(client));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const { client } of open) client.destroy();
    server.close();
  });

  type Connection = { client: Socket; upstream: Socket | undefined; silent: boolean };

  function join(client: Socket): Connection {
    const upstream = mode === 'forward' || mode === 'cut' ? connect(target, '127.0.0.1') : undefined;
    const connection: Connection = { client, upstream, silent: mode === 'swallow' };
    const fails = mode === 'fail';
    client.on('data', (chunk) => {
      receivedBytes += chunk.length;
      if (fails) client.end('HTTP/1.1 500 Failed\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      else if (!connection.silent && upstream && !upstream.write(chunk)) client.pause();
    });
    upstream?.on('drain', () => client.resume());
    upstream?.on('data', (chunk: Buffer) => {
      if (mode === 'cut') {
        client.write(headersOf(chunk));
        client.destroySoon();
      } else if (!connection.silent && !client.write(chunk)) upstream.pause();
    });
    client.on('drain', () => upstream?.resume());
    const end = () => {
      if (!connection.silent) client.destroy();
      upstream?.destroy();
    };
    upstream?.on('error', end).on('close', end);
    client
      .on('error', () => {})
      .on('close', () => {
        open.delete(connection);
        upstream?.destroy();
      });
    return connection;
  }

  return {
    port: (server.address() as AddressInfo).port,
    taken: () => taken,
    receivedBytes: () => receivedBytes,
    set(next) {
      mode = next;
      for (const connection of open) {
        if (next === 'swallow') connection.silent = true;
        if (next === 'refuse' || next === 'fail') connection.client.destroy();
      }
    },
  };
}

/** Returns the start of an HTTP response, up to the empty line. */
const headersOf = (response: Buffer) => response.subarray(0, response.indexOf('\r\n\r\n') + 4);
