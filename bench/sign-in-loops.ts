/**
 * People who try to sign in again and again, in a process of their own so that whoever measures is not kept by them.
 * `node bench/sign-in-loops.ts <address> <how many> <tries so far>`, until it is ended; says when one was answered.
 */
import { trySignIn } from './try-sign-in.ts';

const [url = '', loops = '', before = ''] = process.argv.slice(2);
let tries = Number(before);

console.log(`the first try was answered with ${await trySignIn(url, tries)}`);
await Promise.all(
  Array.from({ length: Number(loops) }, async () => {
    for (;;) {
      tries += 1;
      await trySignIn(url, tries);
    }
  }),
);
