import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenSession } from '#contract/account.ts';
import { paths } from '#contract/paths.ts';
import { requireSession } from '../auth/guards.ts';
import type { AppContext } from '../context.ts';
import { sendPrivate } from '../http/send-document.ts';
import { exportAccount } from './export-account.ts';

/** Lists the browsers that are signed in to the caller's account; auth/auth.ts implements it. */
export type ListSessions = (request: FastifyRequest) => Promise<OpenSession[]>;

/** Registers the download of a user's data. */
export async function accountExportRoutes(
  app: FastifyInstance,
  { context: { database }, listSessions }: { context: AppContext; listSessions: ListSessions },
) {
  /** Sends all data of the caller as a download. */
  app.get(paths.documents.accountExport, async (request, reply) => {
    const { uid, email } = requireSession(request);
    const sessions = await listSessions(request);
    reply.header('content-disposition', 'attachment; filename="meus-dados.json"');
    return sendPrivate(reply, await exportAccount(database, { uid, email }, sessions));
  });
}
