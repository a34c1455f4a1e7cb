import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccountExport, OpenSession } from '#contract/account.ts';
import { paths } from '#contract/paths.ts';
import { requireSession } from '../auth/guards.ts';
import { signInData } from '../auth/personal-data.ts';
import type { AppContext } from '../context.ts';
import type { Database } from '../database/connect.ts';
import type { DataSubject } from '../database/personal-data.ts';
import { favouriteData } from '../favourites/personal-data.ts';
import { sendPrivate } from '../http/send-document.ts';
import { libraryData } from '../library/personal-data.ts';
import { newsletterData } from '../newsletter/personal-data.ts';
import { siteData } from '../site/personal-data.ts';
import { fileData } from '../storage/personal-data.ts';
import { userData } from '../users/personal-data.ts';

/** Returns all stored data of a user (LGPD art. 18: access and portability). */
async function exportAccount(
  database: Database,
  subject: DataSubject,
  sessions: OpenSession[],
): Promise<AccountExport> {
  const { wordMood, accessLog, ...account } = await userData.exportFor(database, subject);
  const { signInMethods } = await signInData.exportFor(database, subject);
  const { newsletter } = await newsletterData.exportFor(database, subject);
  const { favourites } = await favouriteData.exportFor(database, subject);
  const { savedActivities, deletedActivities } = await libraryData.exportFor(database, subject);
  const { publishedVersions, draftSections } = await siteData.exportFor(database, subject);
  const { files } = await fileData.exportFor(database, subject);
  return {
    exportedAt: Date.now(),
    ...account,
    signInMethods,
    sessions,
    wordMood,
    newsletter,
    accessLog,
    favourites,
    savedActivities,
    deletedActivities,
    publishedVersions,
    draftSections,
    files,
  };
}

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
