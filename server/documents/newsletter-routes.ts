import type { FastifyInstance } from 'fastify';
import { newsletterSignUp, newsletterToken } from '#contract/newsletter.ts';
import { paths } from '#contract/paths.ts';
import { limitAttempts, networkOf } from '../attempts.ts';
import type { AppContext } from '../context.ts';
import { newsletterConfirmMail } from '../mail/messages.ts';
import { parse } from '../parse.ts';
import { confirm, createNewsletterLinks, leave, subscribe, toCsv } from './newsletter.ts';

/** The letter: sign up, confirm by mail, leave, and the list of subscribers for admins. */
export async function newsletterRoutes(app: FastifyInstance, { context }: { context: AppContext }) {
  const { database, mailer, authSecret, environment } = context;
  const links = createNewsletterLinks(authSecret, environment.publicUrl);

  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });

  app.post(paths.documents.newsletter, async (request, reply) => {
    const email = parse(newsletterSignUp, request.body).email.toLowerCase();
    await limitAttempts(database, ['newsletterByAddress', networkOf(request.ip)]);
    const id = await subscribe(database, email);
    if (id) {
      // Not awaited: the answer takes the same time whether or not a mail goes out.
      mailer
        .send(newsletterConfirmMail(email, links.link(id, 'confirm'), links.link(id, 'leave')))
        .catch((error: unknown) => request.log.error({ err: error }, 'newsletter mail not sent'));
    }
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
    const csv = await toCsv(database, (id) => links.link(id, 'leave'));
    request.log.info({ by: request.session?.uid }, 'newsletter exported');
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="carta.csv"')
      .send(csv);
  });
}
