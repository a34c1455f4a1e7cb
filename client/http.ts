import { errorOf, offline } from './client-error.ts';

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
