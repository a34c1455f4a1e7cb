import { paths } from '#contract/paths.ts';

/**
 * Tries a wrong password. Every attempt has its own IP address, so that rate limits do not affect the result.
 * @returns the status of the response
 */
export async function trySignIn(url: string, number: number): Promise<number> {
  const response = await fetch(url + paths.auth.signIn, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: url,
      'x-forwarded-for': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
    },
    body: JSON.stringify({ email: `pessoa${number}@exemplo.com.br`, password: 'senhaErrada123' }),
  });
  await response.arrayBuffer();
  return response.status;
}
