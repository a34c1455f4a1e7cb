import { cookiesForBetterAuth } from './sessions/cookies.ts';

/** The header that tells Better Auth the client's IP address; clients cannot set it. */
export const clientAddressHeader = 'x-client-address';
const longestUserAgent = 500;

/**
 * The headers that Better Auth may see: its own cookies, the user agent, and the client's IP address as this
 * server determined it. Better Auth does not see `X-Forwarded-For`, because clients can forge it.
 */
export function authHeaders(request: {
  headers: { cookie?: string | undefined; 'user-agent'?: string | undefined };
  ip: string;
}): Headers {
  const headers = new Headers({ [clientAddressHeader]: request.ip });
  const cookie = cookiesForBetterAuth(request.headers.cookie);
  if (cookie !== undefined) headers.set('cookie', cookie);
  const userAgent = request.headers['user-agent'];
  if (userAgent !== undefined) headers.set('user-agent', userAgent.slice(0, longestUserAgent));
  return headers;
}
