/**
 * Clients that try to sign in without pause, in their own process, so that they do not delay the measurement.
 * `node bench/sign-in-loops.ts <address> <clients> <attempts so far>` runs until it is killed, and prints a
 * line after the first answer.
 */
import { trySignIn } from './try-sign-in.ts';

const [url = '', loops = '', before = ''] = process.argv.slice(2);
let tries = Number(before);

console.log(`the first attempt was answered with ${await trySignIn(url, tries)}`);
await Promise.all(
  Array.from({ length: Number(loops) }, async () => {
    for (;;) {
      tries += 1;
      await trySignIn(url, tries);
    }
  }),
);
