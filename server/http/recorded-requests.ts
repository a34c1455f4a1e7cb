import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** False for a file of the site; usage records contain only pages and calls of the API. */
    recorded: boolean;
  }
}

/** Usage records leave out these routes, which serve files or the operator's programs. */
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
