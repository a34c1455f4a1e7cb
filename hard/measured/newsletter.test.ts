import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { percentile } from '#bench/measure.ts';
import { connect } from '#server/database/connect.ts';
import { createEmptyPostgres } from '#server/testing/databases.ts';
import { s3Environment, startSwift } from '#server/testing/peers/swift.ts';
import { signUpAdmins } from '#server/testing/recorded-writes.ts';
import { type ServerProcess, startServerProcess } from '#server/testing/server-process.ts';
import { report } from '../figures.ts';
import { residentMegabytes, temporaryFolder } from '../machine.ts';
import { readHomePage } from './attack.ts';

const addresses = 10_000;
const kills = 5;
/** The connections of one server. */
const connections = 4;
/** A mail server on the internet takes longer for a mail. */
const acceptMs = 20;
const mostRatio = 2;
const mostMegabytes = 32;
const idleReadMs = 8_000;

it(`sends the newsletter to ${addresses} addresses from two servers, one killed ${kills} times: nobody gets two`, async (t) => {
  const received = new Map<string, number>();
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      stream.resume().on('end', () => {
        const address = envelope.rcptTo[0]?.address ?? '';
        received.set(address, (received.get(address) ?? 0) + 1);
        setTimeout(done, acceptMs);
      });
    },
  });
  // The connections of a killed server are reset.
  smtp.on('error', () => {});
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise<void>((resolve) => smtp.close(() => resolve())));
  const swift = await startSwift();
  t.after(() => swift.remove());
  const environment = {
    ...s3Environment(swift),
    DATABASE_URL: await createEmptyPostgres(),
    AUTH_SECRET: 'one secret for both servers of this test',
    SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    REQUIRE_VERIFIED_EMAIL: 'false',
  };
  const start = async (): Promise<ServerProcess> => {
    const server = await startServerProcess(await temporaryFolder(t), environment);
    t.after(() => server.kill());
    return server;
  };
  const steady = await start();
  const [admin] = await signUpAdmins(steady.url, steady.firstAdminPath(), 1);
  assert.ok(admin);
  const database = connect({ dataDir: '', databaseUrl: environment.DATABASE_URL });
  t.after(() => database.destroy());
  const rows = Array.from({ length: addresses }, (_, place) => ({
    ...{ id: `assinante-${place}`, email: `assinante${place}@exemplo.com.br` },
    ...{ consentedAt: 1, confirmedAt: 2, mailedAt: 1 },
  }));
  for (let first = 0; first < addresses; first += 1_000)
    await database
      .insertInto('newsletterSubscribers')
      .values(rows.slice(first, first + 1_000))
      .execute();

  const issues = await admin.client.issues();
  const draft = await issues.create({
    subject: 'Dormir no calor',
    text: 'Água.\n\n'.repeat(400),
    indexed: false,
  });
  const atRest = await readHomePage(steady.url, wait(idleReadMs));
  const before = residentMegabytes(steady.pid);
  const begun = performance.now();
  await issues.send(draft);
  let growth = 0;
  const whileSending: number[] = [await readHomePage(steady.url, wait(idleReadMs))];
  growth = Math.max(growth, residentMegabytes(steady.pid) - before);

  for (let count = 0; count < kills; count += 1) {
    const other = await start();
    const sentBefore = received.size;
    while (received.size < sentBefore + 200) await wait(20);
    await other.kill();
  }
  for (;;) {
    const { state } = await issues.read(draft.id);
    if (state === 'sent') break;
    whileSending.push(await readHomePage(steady.url, wait(1_000)));
    growth = Math.max(growth, residentMegabytes(steady.pid) - before);
  }
  const seconds = (performance.now() - begun) / 1000;
  const { progress, unsureAddresses } = await issues.read(draft.id);
  const during = percentile(whileSending, 0.5);
  const twice = [...received].filter(([, times]) => times > 1);
  const missing = rows.filter(({ email }) => !received.has(email) && !unsureAddresses.includes(email));

  report(
    `newsletter to ${addresses} addresses, ${kills} kills`,
    `${seconds.toFixed(0)} s, ${progress.unsure} unsure`,
  );
  report('newsletter, addresses with two mails', String(twice.length), '0');
  report('newsletter, addresses without a mail that are not named', String(missing.length), '0');
  report(
    'newsletter, p99 of the home page',
    `${atRest.toFixed(2)} → ${during.toFixed(2)} ms`,
    `× ${mostRatio}`,
  );
  report('newsletter, memory', `+${growth.toFixed(0)} MB`, `${mostMegabytes} MB`);
  assert.deepEqual(twice, []);
  assert.deepEqual(missing, []);
  assert.ok(progress.unsure <= kills * connections, `${progress.unsure} unsure`);
  assert.equal(progress.sent + progress.unsure, addresses);
  assert.ok(during <= mostRatio * atRest, `${atRest} → ${during} ms`);
  assert.ok(growth <= mostMegabytes, `+${growth} MB`);
});
