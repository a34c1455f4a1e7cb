import type { FastifyInstance, FastifyReply } from 'fastify';
import { newDiaryConsent } from '#contract/diary/consent.ts';
import {
  diaryChange,
  diaryChartQuery,
  diaryDaysQuery,
  diaryEntryPath,
  diaryFileQuery,
  diaryImport,
  diaryPause,
  diaryQuery,
} from '#contract/diary/entry.ts';
import { newShare, noteChange, noteShow } from '#contract/diary/share.ts';
import {
  assignmentDayInput,
  assignmentDayPath,
  assignmentWeekInput,
  assignmentWeekPath,
} from '#contract/diary/week.ts';
import { limits } from '#contract/limits.ts';
import { paths, routes } from '#contract/paths.ts';
import { clockOf } from '#contract/site/clock.ts';
import { requireSession } from '../auth/guards.ts';
import { limitAttempts } from '../auth/rate-limits.ts';
import type { AppContext } from '../context.ts';
import { parse } from '../http/parse.ts';
import { sendPrivate } from '../http/send-document.ts';
import { createLimitedMailer } from '../mail/limited-mailer.ts';
import { shareReceiptMail } from '../mail/messages.ts';
import { findConsent, giveConsent } from './consent.ts';
import { changeEntry, deleteDiary, deleteEntry, pauseDiary } from './entries.ts';
import { diaryTable, exportDiary, importDiary } from './files.ts';
import { countWords, listDays, listEntries, readDiaryState, readEntry } from './read-entries.ts';
import { closeNote, deleteNote, listNotes, saveNote, showNote } from './sharing/notes.ts';
import { endShares, grantShare, listReads, listShares } from './sharing/shares.ts';
import { answerDay, listAssignments, skipWeek } from './week/week.ts';

/** The largest diary with notes of usual lengths: 20,000 entries of 1 kB. */
const importMaxBytes = 20_000_000;
/** Three questions and answers of the longest kind. */
const noteMaxBytes = 32_000;

/** Registers the routes of the diary. Each route is about the caller's own diary only. */
export async function diaryRoutes(app: FastifyInstance, { context }: { context: AppContext }) {
  const { database } = context;
  const mailer = createLimitedMailer(context, app.log);

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  app.get(paths.documents.diary, async (request, reply) =>
    sendPrivate(reply, await readDiaryState(context, requireSession(request).uid)),
  );

  app.get(paths.documents.diaryDays, async (request, reply) =>
    sendPrivate(
      reply,
      await listDays(context, requireSession(request).uid, parse(diaryDaysQuery, request.query)),
    ),
  );

  app.get(paths.documents.diaryChart, async (request, reply) => {
    const { today } = parse(diaryChartQuery, request.query);
    return sendPrivate(reply, await countWords(context, requireSession(request).uid, today));
  });

  app.put(paths.documents.diaryPause, async (request, reply) => {
    const { paused } = parse(diaryPause, request.body);
    await pauseDiary(context, requireSession(request).uid, paused);
    return reply.code(204).send();
  });

  app.get(paths.documents.diaryEntries, async (request, reply) =>
    sendPrivate(
      reply,
      await listEntries(context, requireSession(request).uid, parse(diaryQuery, request.query)),
    ),
  );

  app.get(routes.diaryEntry, async (request, reply) => {
    const { id } = parse(diaryEntryPath, request.params);
    return sendPrivate(reply, await readEntry(context, requireSession(request).uid, id));
  });

  app.get(paths.documents.diaryConsent, async (request, reply) => {
    const consent = await findConsent(context.database, requireSession(request).uid);
    return sendPrivate(reply, { consent: consent ?? null });
  });

  app.post(paths.documents.diaryConsent, async (request, reply) => {
    const consent = await giveConsent(
      context,
      requireSession(request).uid,
      parse(newDiaryConsent, request.body),
    );
    return reply.code(201).send({ consent });
  });

  app.put(routes.diaryEntry, async (request, reply) => {
    const { id } = parse(diaryEntryPath, request.params);
    const change = parse(diaryChange, request.body);
    const { uid } = requireSession(request);
    const { item, isNew } = await changeEntry(context, { uid, id, change });
    return reply.code(isNew ? 201 : 200).send('deleted' in item ? { deleted: true } : item);
  });

  app.delete(routes.diaryEntry, async (request, reply) => {
    const { id } = parse(diaryEntryPath, request.params);
    await deleteEntry(context, requireSession(request).uid, id);
    return reply.code(204).send();
  });

  app.delete(paths.documents.diary, async (request, reply) => {
    const { uid } = requireSession(request);
    if (await deleteDiary(context, uid)) await mailReceipt(reply, uid, 'ended');
    return reply.code(204).send();
  });

  app.get(paths.documents.diaryJson, async (request, reply) => {
    const selection = parse(diaryFileQuery, request.query);
    const file = await exportDiary(context, requireSession(request).uid, selection);
    return download(reply, 'diario.json').send(file);
  });

  app.get(paths.documents.diaryCsv, async (request, reply) => {
    const selection = parse(diaryFileQuery, request.query);
    const table = await diaryTable(context, requireSession(request).uid, selection);
    return download(reply, 'diario.csv').type('text/csv; charset=utf-8').send(table);
  });

  app.post(paths.documents.diaryImport, { bodyLimit: importMaxBytes }, async (request) => {
    const { uid } = requireSession(request);
    await limitAttempts(context, ['diaryImportsByAccount', uid]);
    return importDiary(context, uid, parse(diaryImport, request.body));
  });

  app.get(paths.documents.diaryShares, async (request, reply) =>
    sendPrivate(reply, { shares: await listShares(database, requireSession(request).uid) }),
  );

  app.post(paths.documents.diaryShares, async (request, reply) => {
    const { uid } = requireSession(request);
    const { share, isNew } = await grantShare(context, uid, parse(newShare, request.body));
    if (isNew) await mailReceipt(reply, uid, 'granted');
    return reply.code(201).send(share);
  });

  app.post(routes.revokeShare, async (request, reply) => {
    const { id } = parse(diaryEntryPath, request.params);
    const { uid } = requireSession(request);
    if (await endShares(database, { uid, id, endedBy: 'patient' })) await mailReceipt(reply, uid, 'ended');
    return reply.code(204).send();
  });

  app.get(paths.documents.diaryReads, async (request, reply) => {
    const reads = await listReads(database, requireSession(request).uid, limits.diaryReadsMaxItems);
    return sendPrivate(reply, { reads });
  });

  app.get(paths.documents.consultationNotes, async (request, reply) =>
    sendPrivate(reply, { notes: await listNotes(await withToday(), requireSession(request).uid) }),
  );

  app.put(routes.consultationNote, { bodyLimit: noteMaxBytes }, async (request, reply) => {
    const { id } = parse(diaryEntryPath, request.params);
    const change = parse(noteChange, request.body);
    const { note, isNew } = await saveNote(await withToday(), {
      uid: requireSession(request).uid,
      id,
      change,
    });
    return reply.code(isNew ? 201 : 200).send(note);
  });

  app.post(routes.showNote, async (request) => {
    const { id } = parse(diaryEntryPath, request.params);
    const { base } = parse(noteShow, request.body);
    return showNote(await withToday(), { uid: requireSession(request).uid, id, base });
  });

  app.post(routes.closeNote, async (request) =>
    closeNote(await withToday(), requireSession(request).uid, parse(diaryEntryPath, request.params).id),
  );

  app.delete(routes.consultationNote, async (request, reply) => {
    const { id } = parse(diaryEntryPath, request.params);
    await deleteNote(context, requireSession(request).uid, id);
    return reply.code(204).send();
  });

  app.get(paths.documents.week, async (request, reply) => {
    const assignments = await listAssignments(context, requireSession(request).uid);
    return sendPrivate(reply, { assignments: assignments.filter(({ withdrawnAt }) => withdrawnAt === null) });
  });

  app.put(routes.weekDay, async (request, reply) => {
    const { id, day } = parse(assignmentDayPath, request.params);
    const { state } = parse(assignmentDayInput, request.body);
    await answerDay(context, { uid: requireSession(request).uid, id, day, state });
    return reply.code(204).send();
  });

  app.put(routes.weekSkip, async (request, reply) => {
    const { id, monday } = parse(assignmentWeekPath, request.params);
    const { skipped } = parse(assignmentWeekInput, request.body);
    await skipWeek(context, { uid: requireSession(request).uid, id, monday, skipped });
    return reply.code(204).send();
  });

  /** Adds the current day in the clinic's time zone. */
  async function withToday() {
    const { timeZone } = (await context.siteContent.read()).content.identity.schedule;
    return { ...context, today: clockOf(timeZone, new Date()).date };
  }

  /**
   * Mails a receipt to the patient, if the email address is verified: after the response, or before it while
   * the queue is full. The change is done, so a failure of the mail does not fail the request.
   */
  async function mailReceipt(reply: FastifyReply, uid: string, event: 'granted' | 'ended'): Promise<void> {
    const send = async () => {
      const owner = await database
        .selectFrom('users')
        .select(['displayName as name', 'email'])
        .where('id', '=', uid)
        .where('emailVerified', '=', true)
        .executeTakeFirst();
      const link = `${context.environment.publicUrl}/diario/compartilhar`;
      if (owner) await mailer.send('share-receipt', shareReceiptMail(owner, event, link));
    };
    try {
      app.afterResponse.add(reply, 'receipt of a share', send);
    } catch {
      // The mailer has logged the reason.
      await send().catch(() => {});
    }
  }
}

const download = (reply: FastifyReply, name: string) =>
  reply.header('content-disposition', `attachment; filename="${name}"`);
