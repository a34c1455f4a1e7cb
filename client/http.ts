import { ClientError, offline } from './client-error.ts';
import { loadSchemas } from './schemas.ts';

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
  const { errorBody, errorMessages } = await loadSchemas();
  const body = errorBody.safeParse(await response.json().catch(() => undefined));
  const status = response.status;
  // A proxy may respond with its own page, whose text does not help a user.
  if (!body.success) return new ClientError('client/unreadable', errorMessages.unexpected, { status });
  const { code, message, requestId, issues, current, changedBy } = body.data;
  return new ClientError(code, message, { status, requestId, issues, current, changedBy });
}
