import { ClientError, offline } from './client-error.ts';
import { loadSchemas } from './schemas.ts';

export type Send = (path: string, options?: SendOptions) => Promise<Response>;

export type SendOptions = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
};

/**
 * Sends requests to one service.
 * @param baseUrl where the service listens; empty for the page's own origin
 * @throws ClientError for every answer of 400 or more and when no answer came; aborting throws the signal's reason
 */
export function createSend(baseUrl: string, fetch: typeof globalThis.fetch): Send {
  return async (path, { method = 'GET', body, headers = {}, signal } = {}) => {
    let response: Response;
    try {
      response = await fetch(baseUrl + path, {
        method,
        credentials: 'include',
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

/** The error that an answer of 400 or more stands for. */
async function errorOf(response: Response): Promise<ClientError> {
  const { errorBody, errorMessages } = await loadSchemas();
  const body = errorBody.safeParse(await response.json().catch(() => undefined));
  const status = response.status;
  // A proxy in between may answer with a page of its own; its text is of no use to a person.
  if (!body.success) return new ClientError('client/unreadable', errorMessages.unexpected, { status });
  const { code, message, requestId, issues, current, changedBy } = body.data;
  return new ClientError(code, message, { status, requestId, issues, current, changedBy });
}
