import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** The server closes a connection whose response makes no progress for this time. */
const stalledMs = 15_000;
const tickMs = 2_500;
/**
 * The most connections per IP address. A browser opens six; a school or clinic behind one IP address can open
 * a few hundred.
 */
const mostConnections = 2_000;

type Connection = { socket: Socket; taken: number; queued: number; stalledTicks: number };

/**
 * Closes connections whose client does not read its response, because each one holds unsent data in memory.
 * If an IP address has too many connections, the server closes the least useful of them for each new one.
 * @param behindProxy true if all connections come from a proxy; the proxy must then limit them per IP address
 */
export function limitSlowReaders(app: FastifyInstance, { behindProxy }: { behindProxy: boolean }) {
  const connections = new Set<Connection>();
  const perAddress = new Map<string, Set<Socket>>();

  app.server.on('connection', (socket: Socket) => {
    const connection = { socket, taken: 0, queued: 0, stalledTicks: 0 };
    connections.add(connection);
    socket.once('close', () => connections.delete(connection));
    if (!behindProxy) limitAddress(socket);
  });

  function limitAddress(socket: Socket) {
    const address = socket.remoteAddress ?? '';
    const open = perAddress.get(address) ?? new Set();
    perAddress.set(address, open.add(socket));
    if (open.size > mostConnections) leastUseful(open)?.destroy();
    socket.once('close', () => {
      open.delete(socket);
      if (open.size === 0) perAddress.delete(address);
    });
  }

  const watch = setInterval(() => {
    for (const connection of connections) endIfStalled(connection);
  }, tickMs);
  watch.unref();
  app.addHook('onClose', async () => clearInterval(watch));
}

/**
 * Returns the oldest connection with unsent data. If there is none, returns the connection on which the
 * server has received the fewest bytes; of several, the oldest.
 */
function leastUseful(open: Set<Socket>): Socket | undefined {
  let found: Socket | undefined;
  for (const socket of open) {
    if (socket.writableLength > 0) return socket;
    if (!found || socket.bytesRead < found.bytesRead) found = socket;
  }
  return found;
}

/**
 * Counts ticks instead of elapsed time. At most one tick passes while the event loop is blocked, so a blocked
 * server does not use up the client's time.
 */
function endIfStalled(connection: Connection) {
  const { socket } = connection;
  const taken = socket.bytesWritten - socket.writableLength;
  const queued = queuedBytesOf(socket);
  const stalled = socket.writableLength > 0 && taken === connection.taken && queued === connection.queued;
  Object.assign(connection, { taken, queued, stalledTicks: stalled ? connection.stalledTicks + 1 : 0 });
  if (connection.stalledTicks >= stalledMs / tickMs) socket.destroy();
}

/**
 * The unsent bytes of the current chunk, which Node's `writableLength` does not show: it counts only whole
 * chunks. Node's own socket time-out is no alternative. Data from the client resets it, even if the client
 * does not read.
 */
const queuedBytesOf = (socket: Socket & { _handle?: { writeQueueSize?: number } | null }) =>
  socket._handle?.writeQueueSize ?? 0;
