import type { FastifyInstance } from 'fastify';
import { newsletterToken } from '#contract/credentials.ts';
import { AppError } from './errors.ts';
import { parse } from './parse.ts';

/**
 * Registers the POST that ends mails by the token in its path. A mail program gets an empty response
 * (RFC 8058), a browser the page that says what happened.
 * @param pageOf returns the path for a token, for `feito` and for `invalido`
 * @param leave throws AppError `auth/invalid-link`
 */
export async function oneClickRoute(
  app: FastifyInstance,
  {
    route,
    pageOf,
    leave,
  }: { route: string; pageOf: (token: string) => string; leave: (token: string) => Promise<void> },
) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  app.post(route, async (request, reply) => {
    const isMailProgram = /\bOne-Click\b/.test(String(request.body ?? ''));
    try {
      await leave(parse(newsletterToken, request.params).token);
    } catch (error) {
      if (isMailProgram || !(error instanceof AppError)) throw error;
      return reply.redirect(pageOf('invalido'), 303);
    }
    return isMailProgram ? reply.code(200).send() : reply.redirect(pageOf('feito'), 303);
  });
}
