import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DailyFile } from '../daily-file.ts';
import { networkOf } from '../networks.ts';
import { createRepeats } from '../repeats.ts';
import type { UsageRecords } from '../usage-records.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The pattern of the page that a route sends, if the route sends many pages. */
    pagePattern: string | undefined;
    /** False for a static file: usage records contain only requests for pages and the API. */
    recorded: boolean;
    /** The code of an error that can be a sign of an attack. */
    refusal: string | undefined;
    /** Writes an event that matters for security to the log, and to the file of security events. */
    noteSecurity(event: string, details: Record<string, string | number>): void;
  }
}

/**
 * Routes that usage records leave out: those that deliver files, and those that the operator's monitoring
 * calls.
 */
const unrecorded = new Set([
  '/files/*',
  '/robots.txt',
  '/sitemap.xml',
  '/sw.js',
  '/healthz',
  '/readyz',
  '/metrics',
]);

/**
 * Strangers can cause large numbers of responses with these statuses, so GET and HEAD requests that get one
 * are logged at debug level. The error handler logs the cause of a 503.
 */
const quietStatuses = new Set([404, 414, 503]);

/** The refusals that are logged one by one in a minute, of one network and in all. The rest is counted. */
const mostRefusals = { each: 20, inAll: 200 };
/** The same for the usage records of all other requests. A school can have one IP address. */
const mostRequests = { each: 600 };
const minuteMs = 60_000;

/**
 * Writes a line of the log for each request, and a usage record for each request for a page or the API. Both
 * contain the pattern of the route or page, never the path, which can say who has read which practice. What
 * a network repeats many times in a minute is only counted, so that a flood fills no disk. Security events
 * also go to a file of their own, in which refusals cannot use up the space of the other events.
 */
export function logRequests(
  app: FastifyInstance,
  { usageRecords, securityEvents }: { usageRecords: UsageRecords; securityEvents: DailyFile },
): void {
  const recordRepeated = (repeated: ReadonlyMap<string, number>) => {
    for (const [ip, times] of repeated) usageRecords.write({ at: new Date(), ip, times });
  };
  const refusals = createRepeats(mostRefusals, (repeated) => {
    recordRepeated(repeated);
    const times = [...repeated.values()].reduce((sum, one) => sum + one, 0);
    const [[most, ofMost] = []] = [...repeated].sort(([, one], [, other]) => other - one);
    const details = { times, networks: repeated.size, most, ofMost };
    app.log.warn(details, 'refusals that were not logged one by one');
    noteEvent('refusals that were not logged one by one', details);
  });
  const others = createRepeats(mostRequests, recordRepeated);
  const minute = setInterval(endMinute, minuteMs);
  minute.unref();
  app.addHook('onClose', async () => {
    clearInterval(minute);
    endMinute();
  });

  function endMinute() {
    refusals.endMinute();
    others.endMinute();
  }
  function noteEvent(event: string, details: object) {
    securityEvents.write(new Date(), JSON.stringify({ event, ...details }).slice(1));
  }

  app.decorateRequest('pagePattern', undefined);
  app.decorateRequest('recorded', true);
  app.decorateRequest('refusal', undefined);
  app.decorateRequest('noteSecurity', function noteSecurity(this: FastifyRequest, event, details) {
    this.log.info(details, event);
    noteEvent(event, { reqId: this.id, ip: this.ip, ...details });
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, ip, recorded, refusal, routeOptions } = request;
    const path = patternOf(request);
    const status = reply.statusCode;
    const isRefused = status >= 400 && status < 500;
    const repeated = (isRefused ? refusals : others).isRepeated(networkOf(ip));
    // Log reads at debug level: most are in the usage records, and the others are only requests for files.
    const quiet = status < 400 || quietStatuses.has(status);
    const isRead = method === 'GET' || method === 'HEAD';
    const level = (quiet && isRead) || (isRefused && repeated) ? 'debug' : 'info';
    const details = { method, path, ip, status, ...(refusal !== undefined && { code: refusal }) };
    request.log[level]({ ...details, ms: Math.round(reply.elapsedTime) }, 'request');
    if (refusal !== undefined && !repeated) noteEvent('refused', { reqId: request.id, ...details });
    if (!repeated && recorded && !unrecorded.has(routeOptions.url ?? ''))
      usageRecords.write({ at: new Date(), ip, method, path, status });
    done();
  });
}

const patternOf = ({ pagePattern, routeOptions }: FastifyRequest) => pagePattern ?? routeOptions.url ?? '*';
