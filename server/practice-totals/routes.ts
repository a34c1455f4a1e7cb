import type { FastifyInstance } from 'fastify';
import { paths } from '#contract/paths.ts';
import { practiceEvent, practiceTotalsQuery } from '#contract/practices/totals.ts';
import { limitAttempts, networkOf } from '../auth/rate-limits.ts';
import type { AppContext } from '../context.ts';
import { parse } from '../http/parse.ts';
import { sendDocument } from '../http/send-document.ts';
import { countUse, readTotals } from './totals.ts';

/** Registers the routes of the anonymous totals: count one use of a practice, and read a month's totals. */
export async function practiceTotalsRoutes(app: FastifyInstance, { context }: { context: AppContext }) {
  const { database, siteContent } = context;
  const isCounting = async () => (await siteContent.read()).content.practices.countsUse;

  app.post(paths.documents.practiceEvents, async (request, reply) => {
    const use = parse(practiceEvent, request.body);
    await limitAttempts(context, ['practiceEventsByAddress', networkOf(request.ip)]);
    if (await isCounting()) await countUse(database, use);
    return reply.header('cache-control', 'no-store').code(204).send();
  });

  app.get(paths.documents.practiceTotals, async (request, reply) => {
    const { month } = parse(practiceTotalsQuery, request.query);
    const totals = await readTotals(database, month);
    return sendDocument(request, reply, { counting: await isCounting(), ...totals });
  });
}
