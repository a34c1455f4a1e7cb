import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the body may arrive as slowly as it needs to, as long as it makes progress. */
    upload?: boolean;
  }
}

/**
 * Adds what protects the server and its visitors: the security headers, and limits for long paths, slow
 * bodies and clients that do not read.
 * @param behindProxy true if all connections come from a proxy; the proxy must then limit them per IP address
 */
export function protect(
  app: FastifyInstance,
  { publicUrl, behindProxy }: { publicUrl: string; behindProxy: boolean },
) {
  const headers = securityHeaders(publicUrl);
  app.addHook('onRequest', ({ originalUrl }, reply, done) => {
    reply.headers(headers);
    // `rewriteUrl` replaces a path that is too long, so that the router does not read it.
    done(isPathTooLong(originalUrl) ? new AppError('request/path-too-long') : undefined);
  });
  limitBodies(app);
  limitSlowReaders(app, { behindProxy });
}

/**
 * The longest allowed path. The site's longest path has only about a hundred characters. The limit does not
 * apply to the query, because other sites add parameters to links.
 */
const longestPath = 1_024;

/** True if the path is too long. Routing reads a path several times, so a long path is expensive. */
export function isPathTooLong(target: string): boolean {
  const query = target.indexOf('?');
  return (query === -1 ? target.length : query) > longestPath;
}

import type { Socket } from 'node:net';

/**
 * Returns the content security policy, which allows only this site's own content, `data:` images and
 * YouTube's player.
 * @param page `script` and `style` are the hashes of a page's inline script and inline style, for example
 * `sha256-…`. `framedBy` tells which pages may show the page in a frame, by default none.
 */
export function contentSecurityPolicy(
  page: { script?: string | undefined; style?: string | undefined; framedBy?: "'self'" } = {},
): string {
  const own = (hash?: string) => (hash === undefined ? "'self'" : `'self' '${hash}'`);
  return [
    "default-src 'none'",
    `script-src ${own(page.script)}`,
    `style-src ${own(page.style)}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    // The editor of the site content shows a preview in a frame.
    "frame-src 'self' https://www.youtube-nocookie.com",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${page.framedBy ?? "'none'"}`,
  ].join(';');
}

const twoYearsSeconds = 63_072_000;

/** Returns the security headers that every response has, unless its route sets others. */
function securityHeaders(publicUrl: string): Record<string, string> {
  const overHttps = { 'strict-transport-security': `max-age=${twoYearsSeconds}; includeSubDomains` };
  return {
    'content-security-policy': contentSecurityPolicy(),
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(publicUrl.startsWith('https:') && overHttps),
  };
}

const bodyTickMs = 1_000;
const deadlineTicks = 10;
/**
 * The number of bytes that an upload must deliver in every ten seconds. Even slow mobile networks are faster.
 */
const progressBytes = 4 * 1024;

/**
 * Ends requests whose body does not arrive within ten seconds. An upload must instead make progress in every
 * ten seconds. Node's own request time-out cannot differ per route, so it is off.
 */
function limitBodies(app: FastifyInstance) {
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasBody(request)) watchBody(request);
    done();
  });

  function watchBody({ raw, routeOptions }: FastifyRequest) {
    const { upload = false } = routeOptions.config;
    let received = raw.socket.bytesRead;
    let ticks = 0;
    const watch = setInterval(() => {
      if (raw.complete || raw.destroyed) return clearInterval(watch);
      // Counts ticks instead of elapsed time. At most one tick passes while the event loop is blocked, so a
      // blocked server does not use up the client's time.
      ticks += 1;
      if (ticks % deadlineTicks !== 0) return;
      // If received bytes wait in the stream, the server is slow, not the client.
      const progressed = raw.socket.bytesRead - received >= progressBytes || raw.readableLength > 0;
      received = raw.socket.bytesRead;
      if (upload && progressed) return;
      clearInterval(watch);
      const error = Object.assign(new Error('The body did not arrive in time.'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      });
      app.server.emit('clientError', error, raw.socket);
    }, bodyTickMs);
    watch.unref();
    raw.once('close', () => clearInterval(watch));
  }
}

function hasBody({ headers }: FastifyRequest): boolean {
  return 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
}

/** The server closes a connection whose response makes no progress for this time. */
const stalledMs = 15_000;
const readerTickMs = 2_500;
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
function limitSlowReaders(app: FastifyInstance, { behindProxy }: { behindProxy: boolean }) {
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
  }, readerTickMs);
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
  if (connection.stalledTicks >= stalledMs / readerTickMs) socket.destroy();
}

/**
 * The unsent bytes of the current chunk, which Node's `writableLength` does not show: it counts only whole
 * chunks. Node's own socket time-out is no alternative. Data from the client resets it, even if the client
 * does not read.
 */
const queuedBytesOf = (socket: Socket & { _handle?: { writeQueueSize?: number } | null }) =>
  socket._handle?.writeQueueSize ?? 0;
