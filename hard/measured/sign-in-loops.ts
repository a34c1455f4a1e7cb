/**
 * Runs clients that try to sign in without pause, each on its own connection. They run in a separate process,
 * so that they do not delay the measurement. They share the processors with the server, so they send bytes
 * without an HTTP library, which takes less processor time.
 * `node sign-in-loops.ts <url> <clients> <attempts so far> [<pause>]` runs until it is killed, and
 * prints a line after the first response. After a 503, a client waits for `pause` milliseconds (default: 0).
 */
import { setTimeout } from 'node:timers/promises';
import { paths } from '#contract/paths.ts';
import { openConnection } from './reader.ts';

const [url = '', loops = '', before = '', pause = '0'] = process.argv.slice(2);
const { host, origin } = new URL(url);
let tries = Number(before);

const first = await openConnection(url);
console.log(`the first attempt returned ${await first.send(nextAttempt())}`);
first.close();
await Promise.all(
  Array.from({ length: Number(loops) }, async () => {
    const connection = await openConnection(url);
    for (;;) if ((await connection.send(nextAttempt())) === 503) await setTimeout(Number(pause));
  }),
);

/** Makes a request with a wrong password and an IP address of its own, so that no rate limit refuses it. */
function nextAttempt(): string {
  tries += 1;
  const body = JSON.stringify({ email: `pessoa${tries}@exemplo.com.br`, password: 'senhaErrada123' });
  return [
    `POST ${paths.auth.signIn} HTTP/1.1`,
    `host: ${host}`,
    `origin: ${origin}`,
    `x-forwarded-for: 10.${(tries >> 16) & 255}.${(tries >> 8) & 255}.${tries & 255}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    `\r\n${body}`,
  ].join('\r\n');
}
