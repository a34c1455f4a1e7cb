/** The header that tells Better Auth the client's IP address; clients cannot set it. */
export const clientAddressHeader = 'x-client-address';

/**
 * The headers that Better Auth may see: the cookie, the user agent, and the client's IP address as this
 * server determined it. Better Auth does not see `X-Forwarded-For`, because clients can forge it.
 */
export function authHeaders(request: { headers: Record<string, unknown>; ip: string }): Headers {
  const headers = new Headers({ [clientAddressHeader]: request.ip });
  for (const name of ['cookie', 'user-agent']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return headers;
}
