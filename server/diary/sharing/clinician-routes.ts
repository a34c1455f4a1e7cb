import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clinicianInput, sharedEntriesQuery } from '#contract/diary/reading.ts';
import type { Clinician } from '#contract/diary/share.ts';
import { assignmentPath, newAssignment } from '#contract/diary/week.ts';
import { paths, routes } from '#contract/paths.ts';
import type { Proof } from '#contract/sign-in/proof.ts';
import { clockOf } from '#contract/site/clock.ts';
import { requireSession, type Session } from '../../auth/guards.ts';
import type { AppContext } from '../../context.ts';
import { AppError } from '../../http/errors.ts';
import { parse } from '../../http/parse.ts';
import { createLimitedMailer } from '../../mail/limited-mailer.ts';
import { type ClinicianNews, clinicianMail } from '../../mail/messages.ts';
import { noteAccess } from '../../users/access-log.ts';
import { getUser, listAdmins, lockAdmins } from '../../users/users.ts';
import { proposeAssignment, readPatientAssignments, withdrawAssignment } from '../week/assignments.ts';
import { findClinician, isEligible, listClinicians, nameClinician, removeClinician } from './clinicians.ts';
import { getSharedDiary, listSharedDiaries, readSharedEntries, readShownNotes } from './shared-diaries.ts';

/** Checks the proof of a caller, by the password or a passkey; auth/auth.ts implements it. */
export type RequireProof = (request: FastifyRequest, proof: Proof) => Promise<void>;

/** Registers the routes that name clinicians, and by which clinicians read what patients share. */
export async function clinicianRoutes(
  app: FastifyInstance,
  { context, requireProof }: { context: AppContext; requireProof: RequireProof },
) {
  const { database, databaseKind, siteContent } = context;
  const mailer = createLimitedMailer(context, app.log);

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  app.get(paths.documents.clinicians, async () => ({ clinicians: await listClinicians(database) }));

  app.put(routes.clinician, async (request, reply) => {
    const uid = uidOf(request);
    const { name, crm, ...proof } = parse(clinicianInput, request.body);
    const session = requireSession(request);
    if (!session.strong || !(await isEligible(database, session.uid)))
      throw new AppError('auth/strong-session-required');
    await requireProof(request, proof);
    let news: ClinicianNews | undefined;
    // Before the change, because a full queue refuses the request.
    app.afterResponse.add(reply, 'mails about a clinician', async () => news && tellAdmins(news));
    news = await database.transaction().execute(async (transaction) => {
      await lockAdmins(transaction, databaseKind);
      const { email } = await getUser(transaction, uid);
      const before = await nameClinician(transaction, { uid, name, crm });
      if (before === 'unchanged') return undefined;
      await noteChange(transaction, session, uid);
      const { displayName: by } = await getUser(transaction, session.uid);
      return { email, by, before, now: { name, crm } };
    });
    if (news) request.noteSecurity('clinician named', { by: session.uid, uid });
    return reply.code(204).send();
  });

  app.delete(routes.clinician, async (request, reply) => {
    const uid = uidOf(request);
    const session = requireSession(request);
    let news: ClinicianNews | undefined;
    app.afterResponse.add(reply, 'mails about a clinician', async () => news && tellAdmins(news));
    news = await database.transaction().execute(async (transaction) => {
      await lockAdmins(transaction, databaseKind);
      const before = await removeClinician(transaction, uid);
      if (!before) throw new AppError('documents/not-found');
      await noteChange(transaction, session, uid);
      const { email } = await getUser(transaction, uid);
      const { displayName: by } = await getUser(transaction, session.uid);
      return { email, by, before, now: undefined };
    });
    request.noteSecurity('clinician removed', { by: session.uid, uid });
    return reply.code(204).send();
  });

  app.get(paths.documents.sharedDiaries, async (request) => ({
    diaries: await listSharedDiaries(database, await requireReader(request)),
  }));

  app.get(routes.sharedDiary, async (request) =>
    getSharedDiary(database, { uid: uidOf(request), ...(await requireReader(request)) }),
  );

  app.get(routes.sharedEntries, async (request) => {
    const query = parse(sharedEntriesQuery, request.query);
    return readSharedEntries(context, { uid: uidOf(request), ...(await requireReader(request)) }, query);
  });

  app.get(routes.sharedNote, async (request) => ({
    notes: await readShownNotes(context, { uid: uidOf(request), ...(await requireReader(request)) }),
  }));

  app.get(routes.assignments, async (request) =>
    readPatientAssignments(context, { uid: uidOf(request), ...(await requireReader(request)) }),
  );

  app.post(routes.assignments, async (request, reply) => {
    const { clinician, today } = await requireReader(request);
    const input = parse(newAssignment, request.body);
    await proposeAssignment(context, { uid: uidOf(request), clinicianUid: clinician.uid, today, input });
    return reply.code(204).send();
  });

  app.post(routes.withdrawAssignment, async (request, reply) => {
    const { clinician } = await requireReader(request);
    const { id } = parse(assignmentPath, request.params);
    await withdrawAssignment(database, { uid: uidOf(request), clinicianUid: clinician.uid, id });
    return reply.code(204).send();
  });

  /**
   * Returns the clinician who sends the request.
   * @throws AppError `documents/not-found` for all other users; `auth/strong-session-required`
   */
  async function requireReader(request: FastifyRequest): Promise<{ clinician: Clinician; today: string }> {
    const { uid, strong } = requireSession(request);
    const clinician = await findClinician(database, uid);
    if (!clinician) throw new AppError('documents/not-found');
    if (!strong) throw new AppError('auth/strong-session-required');
    const { timeZone } = (await siteContent.read()).content.identity.schedule;
    return { clinician, today: clockOf(timeZone, new Date()).date };
  }

  const noteChange = (transaction: AppContext['database'], { uid: actorId }: Session, uid: string) =>
    noteAccess(transaction, { actorId, subjectIds: [uid], action: 'change', what: 'clinician' });

  async function tellAdmins(news: ClinicianNews): Promise<void> {
    const link = `${context.environment.publicUrl}/admin/users`;
    const admins = await listAdmins(database);
    await Promise.all(admins.map((admin) => mailer.send('clinician', clinicianMail(admin, news, link))));
  }
}

/** Text that cannot be an id, for example with a NUL character, gets 404. */
function uidOf(request: FastifyRequest): string {
  const { uid } = request.params as { uid: string };
  if (!/^[\w-]{1,100}$/.test(uid)) throw new AppError('documents/not-found');
  return uid;
}
