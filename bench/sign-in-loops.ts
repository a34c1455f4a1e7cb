/**
 * Runs clients that try to sign in without pause. Their own process keeps them from delaying the measurement.
 * `node bench/sign-in-loops.ts <url> <clients> <attempts so far> [<pause>]` runs until it is killed, and prints a
 * line after the first response. After a 503 a client waits for `pause` milliseconds, by default not at all.
 */
import { setTimeout } from 'node:timers/promises';
import { trySignIn } from './try-sign-in.ts';

const [url = '', loops = '', before = '', pause = '0'] = process.argv.slice(2);
let tries = Number(before);

console.log(`the first attempt returned ${await trySignIn(url, tries)}`);
await Promise.all(
  Array.from({ length: Number(loops) }, async () => {
    for (;;) {
      tries += 1;
      if ((await trySignIn(url, tries)) === 503) await setTimeout(Number(pause));
    }
  }),
);
