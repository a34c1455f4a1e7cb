import type { FastifyInstance } from 'fastify';
import { paths, routes } from '#contract/paths.ts';
import { reminderChange, reminderLeavePath } from '#contract/reminder.ts';
import { requireSession } from '../auth/guards.ts';
import { limitAttempts } from '../auth/rate-limits.ts';
import type { AppContext } from '../context.ts';
import { AppError } from '../http/errors.ts';
import { oneClickRoute } from '../http/one-click.ts';
import { parse } from '../http/parse.ts';
import { sendPrivate } from '../http/send-document.ts';
import { createLimitedMailer } from '../mail/limited-mailer.ts';
import { reminderMail } from '../mail/messages.ts';
import { addressOf, changeReminder, createLeaveTokens, readReminder, turnOff } from './reminders.ts';

/** Registers the routes of the user's own reminder, and the link that turns it off. */
export async function reminderRoutes(app: FastifyInstance, { context }: { context: AppContext }) {
  const { database, authSecret, environment } = context;
  const { publicUrl } = environment;
  const mailer = createLimitedMailer(context, app.log);
  const tokens = createLeaveTokens(authSecret);

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  app.get(paths.documents.reminder, async (request, reply) =>
    sendPrivate(reply, await readReminder(context, requireSession(request).uid)),
  );

  app.put(paths.documents.reminder, async (request, reply) => {
    const { uid } = requireSession(request);
    await changeReminder(context, uid, parse(reminderChange, request.body));
    return sendPrivate(reply, await readReminder(context, uid));
  });

  app.post(paths.documents.reminderTest, async (request, reply) => {
    const { uid } = requireSession(request);
    const { email, emailVerified } = await addressOf(database, uid);
    if (!emailVerified) throw new AppError('documents/reminder-email-unverified');
    await limitAttempts(context, ['reminderTestsByAccount', uid]);
    const leaveLink = publicUrl + reminderLeavePath(tokens.write(uid));
    if (!(await mailer.send('reminder-test', reminderMail('test', { email, publicUrl, leaveLink }))))
      throw new AppError('server/unavailable');
    return reply.code(204).send();
  });

  await app.register(oneClickRoute, {
    route: routes.reminderLeavePage,
    pageOf: reminderLeavePath,
    async leave(token) {
      const uid = tokens.read(token);
      if (uid === undefined) throw new AppError('auth/invalid-link');
      await turnOff(database, uid);
    },
  });
}
