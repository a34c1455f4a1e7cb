/** The header in which our own routes tell Better Auth the client's address; clients cannot set it. */
export const clientAddressHeader = 'x-client-address';

/**
 * The headers of a request that Better Auth may see: the cookie, the browser's name, and the address
 * as this server determined it, so that nobody's `X-Forwarded-For` is believed.
 */
export function authHeaders(request: { headers: Record<string, unknown>; ip: string }): Headers {
  const headers = new Headers({ [clientAddressHeader]: request.ip });
  for (const name of ['cookie', 'user-agent']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return headers;
}
