import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import { compile } from '@fastify/proxy-addr';
import { type FastifyHttpOptions, LogController } from 'fastify';
import type { Environment } from '../environment.ts';
import { errorInLog, readableLine } from './log.ts';
import { isPathTooLong } from './plugins/protection.ts';

/** The default limit of a request body. Routes that accept long texts set their own limit. */
const jsonBodyBytes = 16 * 1024;
const headersTimeoutMs = 8_000;
/** The most proxies between a client and this server. */
const mostProxies = 5;

export const fastifyOptions = ({
  logLevel,
  trustedProxies,
}: Pick<Environment, 'logLevel' | 'trustedProxies'>) =>
  ({
    logger: logLevel !== 'silent' && {
      level: logLevel,
      serializers: { err: errorInLog },
      ...(process.stdout.isTTY && {
        stream: { write: (line: string) => void process.stdout.write(readableLine(line)) },
      }),
    },
    // Fastify's own log would contain query strings. plugins/logging.ts logs requests without them.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(),
    trustProxy: trustedProxies.length > 0 && trustNearest(trustedProxies),
    bodyLimit: jsonBodyBytes,
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: 1_000 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 500 },
    rewriteUrl: ({ url = '/' }) => (isPathTooLong(url) ? '/' : isReadable(url) ? url : '/404'),
    // No route has a Fastify schema, because the contract's schemas check the input. Without these functions,
    // Fastify would load its own schema compilers at every start.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
  }) satisfies FastifyHttpOptions<Server>;

/**
 * False for the path of a page whose percent signs are not UTF-8, such as `/pr%E1ticas` in an old link.
 * Routing would refuse it, and a visitor would see JSON.
 */
function isReadable(url: string): boolean {
  if (!url.includes('%') || /^\/(?:api|files)\//.test(url)) return true;
  try {
    decodeURI(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

/** Creates request ids that are unique across instances: a random prefix and a counter. */
function createRequestIds(): () => string {
  const instance = randomBytes(6).toString('base64url');
  let requests = 0;
  return () => {
    requests += 1;
    return `${instance}-${requests}`;
  };
}

/**
 * Trusts proxies with these addresses or networks, but only the nearest ones: a client can send thousands of
 * addresses in `X-Forwarded-For`.
 */
function trustNearest(proxies: string[]): (address: string, hop: number) => boolean {
  const isTrusted = compile(proxies);
  return (address, hop) => hop < mostProxies && isTrusted(address, hop);
}

function refuseSchemas(): never {
  throw new Error('No route has a schema of Fastify: parse() checks what comes in.');
}
