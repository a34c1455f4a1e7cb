import { paths } from '#contract/paths.ts';
import { signedValue } from '../auth/sessions/cookies.ts';
import type { TestServer } from './server.ts';

/** A `name=value` pair, signed like Better Auth's cookies. */
export const signedCookie = (name: string, value: string, authSecret: string) =>
  `${name}=${signedValue(value, authSecret)}`;

/** Signs in without the client library. @returns the session cookie, and the token in it */
export async function beginSession(
  server: TestServer,
  { email, password }: { email: string; password: string },
): Promise<{ cookie: string; token: string }> {
  const response = await fetch(server.url + paths.auth.signIn, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.origin },
    body: JSON.stringify({ email, password }),
  });
  const line = response.headers.getSetCookie().find((one) => one.startsWith('acolhe-session=')) ?? '';
  const [cookie = ''] = line.split(';', 1);
  const [token = ''] = decodeURIComponent(cookie.slice(cookie.indexOf('=') + 1)).split('.');
  return { cookie, token };
}
