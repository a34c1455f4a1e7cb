import type { FastifyInstance } from 'fastify';
import { newsletterSignUp, newsletterToken } from '#contract/credentials.ts';
import { leavePath } from '#contract/newsletter.ts';
import { paths, routes } from '#contract/paths.ts';
import { requireSession } from '../auth/guards.ts';
import { limitAttempts } from '../auth/rate-limits.ts';
import type { AppContext } from '../context.ts';
import { evenTime } from '../http/after-response.ts';
import { networkOf } from '../http/networks.ts';
import { oneClickRoute } from '../http/one-click.ts';
import { parse } from '../http/parse.ts';
import { createLimitedMailer } from '../mail/limited-mailer.ts';
import { newsletterConfirmMail } from '../mail/messages.ts';
import { issueRoutes } from './issue-routes.ts';
import { confirm, createNewsletterLinks, leave, subscribe, toCsv } from './newsletter.ts';

/**
 * Registers the routes of the newsletter: sign up, confirm by mail, unsubscribe, and the admins' list of
 * subscribers.
 */
export async function newsletterRoutes(
  app: FastifyInstance,
  { context, wakeSender }: { context: AppContext; wakeSender: () => void },
) {
  const { database, authSecret, environment } = context;
  const mailer = createLimitedMailer(context, app.log);
  const links = createNewsletterLinks(authSecret, environment.publicUrl);

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  app.post(paths.documents.newsletter, evenTime, async (request, reply) => {
    const email = parse(newsletterSignUp, request.body).email.toLowerCase();
    await limitAttempts(context, ['newsletterByAddress', networkOf(request.ip)]);
    // Runs after the response, so that the response takes the same time for new, pending and confirmed email
    // addresses.
    app.afterResponse.add(reply, 'newsletter', async () => {
      const id = await subscribe(database, email);
      if (!id) return;
      const mail = newsletterConfirmMail(email, links.link(id, 'confirm'), links.link(id, 'leave'));
      await mailer.send('newsletter', mail);
    });
    return reply.code(202).send();
  });

  app.post(paths.documents.newsletterConfirm, async (request, reply) => {
    const { token } = parse(newsletterToken, request.body);
    await confirm(database, links.read(token, 'confirm'));
    return reply.code(204).send();
  });

  app.post(paths.documents.newsletterLeave, async (request, reply) => {
    const { token } = parse(newsletterToken, request.body);
    await leave(database, links.read(token, 'leave'));
    return reply.code(204).send();
  });

  app.get(paths.documents.newsletterCsv, async (request, reply) => {
    const { uid: actorId } = requireSession(request);
    const csv = await toCsv(database, { linkFor: (id) => links.link(id, 'leave'), actorId });
    request.noteSecurity('newsletter exported', { by: actorId });
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="carta.csv"')
      .send(csv);
  });

  await app.register(oneClickRoute, {
    route: routes.newsletterLeavePage,
    pageOf: leavePath,
    leave: (token) => leave(database, links.read(token, 'leave')),
  });
  await app.register(issueRoutes, { context, wakeSender });
}
