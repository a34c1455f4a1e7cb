/**
 * Runs admins who create and delete activities, with a pause after each write. They run in a separate
 * process, so that they do not delay the measurement.
 * `node write-loops.ts <url> <admins> <pause>` runs until it is killed, and prints a line when all have
 * signed in. SIGUSR2 pauses them before their next write; a second SIGUSR2 lets them continue. Do not use
 * SIGSTOP, because it would leave requests half sent, and the server would end these requests. `signUpAdmins`
 * creates the admins. `pause` is in milliseconds.
 */
import { setTimeout } from 'node:timers/promises';
import { adminAccount } from '#server/testing/recorded-writes.ts';
import { sampleActivity } from '#server/testing/samples.ts';
import { visitorAt } from '#server/testing/server.ts';

const [url = '', count = '', pause = ''] = process.argv.slice(2);
const admins = Array.from({ length: Number(count) }, (_, index) => ({ index, ...visitorAt(url, url) }));
for (const { index, client } of admins) {
  const { email, password } = adminAccount(index);
  await client.auth.signIn({ email, password });
}
let isHeld = false;
process.on('SIGUSR2', () => {
  isHeld = !isHeld;
});
console.log('signed in');
await Promise.all(
  admins.map(async ({ client }) => {
    for (;;) {
      while (isHeld) await setTimeout(20);
      const activity = await client.documents.createActivity(sampleActivity());
      await setTimeout(Number(pause));
      while (isHeld) await setTimeout(20);
      await client.documents.deleteActivity(activity);
      await setTimeout(Number(pause));
    }
  }),
);
