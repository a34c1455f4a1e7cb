import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { UsageRecords } from '../usage-records.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The pattern of the page that a route sends, if the route sends many pages. */
    pagePattern: string | undefined;
    /** False for a static file: usage records contain only requests for pages and the API. */
    recorded: boolean;
  }
}

/**
 * Routes that usage records leave out: those that deliver files, and those that the operator's monitoring
 * calls.
 */
const unrecorded = new Set(['/files/*', '/robots.txt', '/sitemap.xml', '/healthz', '/readyz', '/metrics']);

/**
 * Strangers can cause large numbers of responses with these statuses, so GET and HEAD requests that get one
 * are logged at debug level. The error handler logs the cause of a 503.
 */
const quietStatuses = new Set([404, 414, 503]);

/**
 * Writes a line of the log for each request, and a usage record for each request for a page or the API. Both
 * contain the pattern of the route or page, never the path, which can say who has read which practice.
 */
export function logRequests(app: FastifyInstance, usageRecords: UsageRecords): void {
  app.decorateRequest('pagePattern', undefined);
  app.decorateRequest('recorded', true);
  app.addHook('onResponse', (request, reply, done) => {
    const { method, ip, recorded, routeOptions } = request;
    const path = patternOf(request);
    const status = reply.statusCode;
    // Log reads at debug level: most are in the usage records, and the others are only requests for files.
    const quiet = status < 400 || quietStatuses.has(status);
    const level = quiet && (method === 'GET' || method === 'HEAD') ? 'debug' : 'info';
    request.log[level]({ method, path, ip, status, ms: Math.round(reply.elapsedTime) }, 'request');
    if (recorded && !unrecorded.has(routeOptions.url ?? ''))
      usageRecords.write({ at: new Date(), ip, method, path, status });
    done();
  });
}

const patternOf = ({ pagePattern, routeOptions }: FastifyRequest) => pagePattern ?? routeOptions.url ?? '*';
