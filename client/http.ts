import type { ErrorBody } from '#contract/errors.ts';
import { unexpectedMessage } from '#contract/unexpected-message.ts';
import { ClientError, offline } from './client-error.ts';

export type Send = (path: string, options?: SendOptions) => Promise<Response>;

export type SendOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** `omit` sends the request without the session's cookie. */
  credentials?: 'omit';
  keepalive?: boolean;
};

/**
 * Creates a function that sends requests to one service. It throws a ClientError if the status is 400 or more
 * or there is no response, and the signal's reason after an abort.
 * @param baseUrl the origin of the service; empty for the page's own origin
 */
export function createSend(baseUrl: string, fetch: typeof globalThis.fetch): Send {
  return async (path, { method = 'GET', body, headers = {}, signal, ...rest } = {}) => {
    let response: Response;
    try {
      response = await fetch(baseUrl + path, {
        method,
        credentials: 'include',
        ...rest,
        headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ?? null,
      });
    } catch (cause) {
      signal?.throwIfAborted();
      throw offline(cause);
    }
    if (!response.ok) throw await errorOf(response);
    return response;
  };
}

/** Builds the error for a response with a status of 400 or more. */
async function errorOf(response: Response): Promise<ClientError> {
  const { status } = response;
  const body: unknown = await response.json().catch(() => undefined);
  // A proxy may respond with its own page, whose text does not help a user.
  if (!isErrorBody(body)) return new ClientError('client/unreadable', unexpectedMessage, { status });
  const { code, message, ...details } = body;
  return new ClientError(code, message, { status, ...details });
}

/** Checks without Zod, which the initial code of the site does not contain. */
const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'code' in body && 'message' in body && 'requestId' in body;

/** Reads the body of a response. */
export const readJson = async (sent: Promise<Response>): Promise<unknown> => (await sent).json();

export const tagOf = (response: Response): string => response.headers.get('etag') ?? '';
