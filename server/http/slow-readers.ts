import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** An answer without progress for this time is ended. */
const stalledMs = 15_000;
const tickMs = 2_500;
/** A browser opens six; a school or a clinic behind one address opens a few hundred. */
const mostConnections = 2_000;

type Connection = { socket: Socket; taken: number; queued: number; stalledTicks: number };

/**
 * Ends connections whose client does not read its answer, because each one holds unsent data in memory. If an
 * address opens too many connections, the least active ones are ended.
 * @param behindProxy true if connections come from a proxy, which must limit its own clients
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
 * A connection that does not read its answer; else the one with the fewest requests; of equals, the oldest.
 */
function leastUseful(open: Set<Socket>): Socket | undefined {
  let found: Socket | undefined;
  for (const socket of open) {
    if (socket.writableLength > 0) return socket;
    if (!found || socket.bytesRead < found.bytesRead) found = socket;
  }
  return found;
}

/** Counts ticks, because a time in which the process itself was blocked must count only once. */
function endIfStalled(connection: Connection) {
  const { socket } = connection;
  const taken = socket.bytesWritten - socket.writableLength;
  const queued = queuedBytesOf(socket);
  const stalled = socket.writableLength > 0 && taken === connection.taken && queued === connection.queued;
  Object.assign(connection, { taken, queued, stalledTicks: stalled ? connection.stalledTicks + 1 : 0 });
  if (connection.stalledTicks >= stalledMs / tickMs) socket.destroy();
}

/**
 * The unsent bytes of the current chunk. Node counts only whole chunks; its socket time-out uses the same
 * number, and is also reset by data from the client, which does not show that the client reads.
 */
const queuedBytesOf = (socket: Socket & { _handle?: { writeQueueSize?: number } | null }) =>
  socket._handle?.writeQueueSize ?? 0;
