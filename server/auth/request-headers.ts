/** The header that tells Better Auth the client's address; clients cannot set it. */
export const clientAddressHeader = 'x-client-address';

/**
 * The headers that Better Auth may see: the cookie, the user agent, and the client's address as this server
 * determined it. A client's `X-Forwarded-For` has no effect.
 */
export function authHeaders(request: { headers: Record<string, unknown>; ip: string }): Headers {
  const headers = new Headers({ [clientAddressHeader]: request.ip });
  for (const name of ['cookie', 'user-agent']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return headers;
}
