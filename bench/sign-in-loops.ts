/**
 * Runs clients that try to sign in without pause. Their own process keeps them from delaying the measurement.
 * `node bench/sign-in-loops.ts <url> <clients> <attempts so far>` runs until it is killed, and prints a
 * line after the first response. After a 503 a client waits for a shorter time than `Retry-After` asks for.
 */
import { setTimeout } from 'node:timers/promises';
import { trySignIn } from './try-sign-in.ts';

const pauseMs = 250;
const [url = '', loops = '', before = ''] = process.argv.slice(2);
let tries = Number(before);

console.log(`the first attempt returned ${await trySignIn(url, tries)}`);
await Promise.all(
  Array.from({ length: Number(loops) }, async () => {
    for (;;) {
      tries += 1;
      if ((await trySignIn(url, tries)) === 503) await setTimeout(pauseMs);
    }
  }),
);
