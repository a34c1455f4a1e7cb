import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AccountExport, accountExport, type OpenSession } from '#contract/account.ts';
import { paths } from '#contract/paths.ts';
import { requireSession } from '../auth/guards.ts';
import type { AppContext } from '../context.ts';
import type { DataSubject } from '../database/personal-data.ts';
import { sendPrivate } from '../http/send-document.ts';
import { personalData } from './personal-data.ts';

/** Returns all stored data of a user (LGPD art. 18: access and portability). */
async function exportAccount(
  { database, diaryMasterKey }: Pick<AppContext, 'database' | 'diaryMasterKey'>,
  subject: DataSubject,
  sessions: OpenSession[],
): Promise<AccountExport> {
  const fields: Partial<AccountExport> = { exportedAt: Date.now(), sessions };
  for (const { exportFor } of personalData)
    Object.assign(fields, await exportFor(database, subject, { diaryMasterKey }));
  return accountExport.parse(fields);
}

/** Lists the browsers that are signed in to the caller's account; auth/auth.ts implements it. */
export type ListSessions = (request: FastifyRequest) => Promise<OpenSession[]>;

/** Registers the download of a user's data. */
export async function accountExportRoutes(
  app: FastifyInstance,
  { context, listSessions }: { context: AppContext; listSessions: ListSessions },
) {
  /** Sends all data of the caller as a download. */
  app.get(paths.documents.accountExport, async (request, reply) => {
    const { uid, email } = requireSession(request);
    const sessions = await listSessions(request);
    reply.header('content-disposition', 'attachment; filename="meus-dados.json"');
    return sendPrivate(reply, await exportAccount(context, { uid, email }, sessions));
  });
}
