import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type IssueInput, issueInput, mailPreviewQuery } from '#contract/newsletter.ts';
import { paths, routes } from '#contract/paths.ts';
import { requireSession } from '../auth/guards.ts';
import { limitAttempts } from '../auth/rate-limits.ts';
import type { AppContext } from '../context.ts';
import { AppError } from '../http/errors.ts';
import { parse } from '../http/parse.ts';
import { requiredTag, sendPrivate } from '../http/send-document.ts';
import { openSmtpSession } from '../mail/smtp-session.ts';
import { createIssueMail, previewIssue } from './issue-mail.ts';
import {
  beginSending,
  changeIssue,
  createIssue,
  deleteIssue,
  isIssueId,
  listIssues,
  pauseIssue,
  readIssue,
  readIssueWithAddresses,
  readPublicIssue,
  resumeIssue,
} from './issues.ts';

/** Gmail cuts mails after about 102 kB. */
const mostMailBytes = 100_000;

/** As for other long texts: JSON may escape each of its characters. */
const issueBodyBytes = 512 * 1024;

/** A mail has inline styles, and nothing else that a page could load. */
const mailPreviewHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
  'x-frame-options': 'SAMEORIGIN',
};

/** Registers the routes of the newsletter's issues: the admins' and the public one. */
export async function issueRoutes(
  app: FastifyInstance,
  { context, wakeSender }: { context: AppContext; wakeSender: () => void },
) {
  const { database, environment } = context;
  const withText = { bodyLimit: issueBodyBytes };

  app.get(paths.documents.issues, async (_request, reply) => sendPrivate(reply, await listIssues(database)));

  app.post(paths.documents.issues, withText, async (request, reply) => {
    const input = parse(issueInput, request.body);
    await requireMailSize(input);
    const id = await createIssue(database, input);
    return sendPrivate(reply.code(201), await readIssue(database, id));
  });

  /** Mail programs cut long mails, and with them the link to leave. @throws AppError `request/invalid` */
  async function requireMailSize({ subject, text }: IssueInput) {
    const mail = await createIssueMail(context, { id: 'x'.repeat(16), subject, text });
    if ((await mail.bytes()) > mostMailBytes)
      throw new AppError('request/invalid', {
        issues: [{ path: 'text', message: 'A carta ficou grande demais para um e-mail. Encurte o texto.' }],
      });
  }

  const details = async (request: FastifyRequest) =>
    readIssueWithAddresses(database, { id: idOf(request), actorId: requireSession(request).uid });

  app.get(routes.issue, async (request, reply) => sendPrivate(reply, await details(request)));

  app.put(routes.issue, withText, async (request, reply) => {
    const change = {
      id: idOf(request),
      revision: revisionOf(request),
      input: parse(issueInput, request.body),
    };
    await requireMailSize(change.input);
    await changeIssue(database, change);
    return sendPrivate(reply, await details(request));
  });

  /** The mail as a page for a frame of the editor, which shows it in the light and in the dark theme. */
  app.get(`${routes.issue}/mail`, async (request, reply) => {
    const { html } = await previewIssue(context, await readIssue(database, idOf(request)));
    const { theme } = parse(mailPreviewQuery, request.query);
    const themed = html.replace(
      /(<style>[^<]*)@media \(prefers-color-scheme: dark\)/,
      theme === 'dark' ? '$1@media all' : '$1@media not all',
    );
    // A link in the frame could lead nowhere, so it only looks like one, and Tab does not stop at it.
    const page = themed.replace(/ href="[^"]*"/g, '');
    return reply.headers(mailPreviewHeaders).type('text/html; charset=utf-8').send(page);
  });

  app.delete(routes.issue, async (request, reply) => {
    await deleteIssue(database, idOf(request));
    return reply.code(204).send();
  });

  /** Sends the issue to the admin who asks, with a link to leave that changes nothing. */
  app.post(`${routes.issue}/test`, async (request, reply) => {
    const { uid, email } = requireSession(request);
    const revision = revisionOf(request);
    const issue = await readIssue(database, idOf(request));
    if (issue.revision !== revision) throw new AppError('documents/precondition-failed', { current: issue });
    await limitAttempts(context, ['newsletterTestsByAccount', uid]);
    const mail = await createIssueMail(context, issue);
    const { smtpUrl } = environment;
    const session = smtpUrl === undefined ? undefined : await openSmtpSession(smtpUrl);
    const outcome =
      session && !('send' in session) ? session : await mail.send(session, { subscriberId: 'teste', email });
    if (session && 'send' in session) session.close();
    if (outcome.kind === 'sent') return reply.code(204).send();
    request.log.warn({ outcome: outcome.kind }, 'newsletter test not sent');
    throw new AppError('server/unavailable', {
      message:
        `O servidor de e-mail não aceitou o teste. ${'reason' in outcome ? outcome.reason : ''}`.trim(),
    });
  });

  app.post(`${routes.issue}/send`, async (request, reply) => {
    const id = idOf(request);
    await beginSending(database, { id, revision: revisionOf(request) });
    request.noteSecurity('newsletter sent', { by: requireSession(request).uid, issue: id });
    wakeSender();
    return sendPrivate(reply, await details(request));
  });

  app.post(`${routes.issue}/pause`, async (request, reply) => {
    await pauseIssue(database, idOf(request), null);
    return sendPrivate(reply, await details(request));
  });

  app.post(`${routes.issue}/resume`, async (request, reply) => {
    await resumeIssue(database, idOf(request));
    wakeSender();
    return sendPrivate(reply, await details(request));
  });

  app.get(routes.publicIssue, async (request, reply) => {
    const { identity } = (await context.siteContent.read()).content;
    return sendPrivate(reply, await readPublicIssue(database, identity.schedule.timeZone, idOf(request)));
  });
}

/** PostgreSQL refuses a text with a NUL character, so text that cannot be an id gets 404. */
function idOf(request: FastifyRequest): string {
  const { id } = request.params as { id: string };
  if (!isIssueId(id)) throw new AppError('documents/not-found');
  return id;
}

/** @throws AppError `request/precondition-required`; `documents/precondition-failed` for another tag */
function revisionOf(request: FastifyRequest): number {
  const [, revision] = /^"(\d{1,9})"$/.exec(requiredTag(request)) ?? [];
  if (revision === undefined) throw new AppError('documents/precondition-failed');
  return Number(revision);
}
