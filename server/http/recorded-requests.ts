import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * False for one of the site's static files. Usage records contain only requests for pages and the API.
     */
    recorded: boolean;
  }
}

/**
 * Routes that usage records leave out: those that deliver files, and those that the operator's monitoring
 * calls.
 */
const unrecorded = new Set([
  ...['/files/*', '/robots.txt', '/sitemap.xml'],
  ...['/healthz', '/readyz', '/metrics'],
]);

export function recordRequests(app: FastifyInstance) {
  app.decorateRequest('recorded', true);
}

/** True if the usage records contain this request: it is for a page or for the API. */
export const isRecorded = ({ recorded, routeOptions }: FastifyRequest): boolean =>
  recorded && !unrecorded.has(routeOptions.url ?? '');
