/**
 * Runs clients that try to sign in without pause. Their own process keeps them from delaying the measurement.
 * `node bench/sign-in-loops.ts <url> <clients> <attempts so far>` runs until it is killed, and prints a
 * line after the first response.
 */
import { trySignIn } from './try-sign-in.ts';

const [url = '', loops = '', before = ''] = process.argv.slice(2);
let tries = Number(before);

console.log(`the first attempt returned ${await trySignIn(url, tries)}`);
await Promise.all(
  Array.from({ length: Number(loops) }, async () => {
    for (;;) {
      tries += 1;
      await trySignIn(url, tries);
    }
  }),
);
