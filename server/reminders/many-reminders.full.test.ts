import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { clockOf } from '#contract/site/clock.ts';
import { connect } from '../database/connect.ts';
import { tableRows } from '../database/rows/columns.ts';
import { writeRows } from '../database/rows/rows.ts';
import { createTestDatabase, databaseKinds } from '../testing/databases.ts';
import { temporaryFolder } from '../testing/moves.ts';
import { s3Environment, startSwift } from '../testing/peers/swift.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';

const users = 1_000;
/** The connections of one server. */
const connections = 4;
const acceptMs = 10;
const zone = 'Etc/GMT';

for (const kind of databaseKinds)
  it(`${users} due reminders on ${kind} leave once each, though a server is killed meanwhile`, async (t) => {
    const mailServer = await startMailServer(t);
    const place = await createTestDatabase(kind);
    t.after(() => place.remove());
    const environment: Record<string, string> = {
      AUTH_SECRET: 'one secret for both servers of this test',
      DIARY_KEY: 'one key for both servers of this test',
      SMTP_URL: mailServer.url,
    };
    if (place.databaseUrl !== undefined) {
      const swift = await startSwift();
      t.after(() => swift.remove());
      Object.assign(environment, s3Environment(swift), { DATABASE_URL: place.databaseUrl });
    }
    const database = connect(place);
    t.after(() => database.destroy());
    // Not before both servers run.
    const later = Date.now() + 60 * 60_000;
    const today = clockOf(zone, new Date()).date;
    const ids = Array.from({ length: users }, (_, number) => `u${number}`);
    const time = new Date().toISOString();
    await writeRows(
      database,
      'users',
      tableRows.users.columns,
      ids.map((id) => ({
        ...{ id, displayName: id, email: `${id}@exemplo.com.br`, searchKey: id, member: 'no' },
        ...{ emailVerified: true, staff: false, research: false, twoFactorEnabled: false },
        ...{ ownName: false, ownPicture: false, profilePic: null, category: null, lastSeenOn: today },
        ...{ createdAt: time, updatedAt: time },
      })),
    );
    await writeRows(
      database,
      'assignments',
      tableRows.assignments.columns,
      ids.map((uid) => ({
        ...{ id: `t-${uid}`, uid, clinicianUid: 'd', clinicianName: 'D', activityId: 'a', title: 'A' },
        ...{ fromDay: today, toDay: today, timesPerWeek: 7, skippedWeeks: '[]', createdAt: 1 },
        ...{ withdrawnAt: null, sealed: null },
      })),
    );
    await writeRows(
      database,
      'reminders',
      tableRows.reminders.columns,
      ids.map((uid) => ({
        ...{ uid, weekdays: '[0,1,2,3,4,5,6]', hour: 8, zone, nextAt: Date.now(), notBefore: later },
        ...{ claimedAt: 0, sentAt: null, stoppedBy: null },
      })),
    );
    const start = async (dataDir = place.dataDir): Promise<ServerProcess> => {
      const server = await startServerProcess(dataDir, environment);
      t.after(() => server.kill());
      return server;
    };
    if (kind === 'postgres') await start(await temporaryFolder(t));
    const killed = await start();
    await database.updateTable('reminders').set({ notBefore: 0 }).execute();
    while (mailServer.received.size < users / 10) await wait(10);
    await killed.kill();
    if (kind === 'sqlite') await start();
    const countWaiting = async () => {
      const rows = await database.selectFrom('reminders').select('nextAt').execute();
      return rows.filter(({ nextAt }) => Number(nextAt) <= Date.now()).length;
    };
    while ((await countWaiting()) > 0) await wait(100);
    const sent = database.selectFrom('reminders').select('uid').where('sentAt', 'is not', null);
    // Only the mails that the killed server had begun are not marked as sent.
    while ((await sent.execute()).length < users - connections) await wait(100);
    assert.deepEqual(
      [...mailServer.received].filter(([, times]) => times > 1),
      [],
    );
    assert.ok(mailServer.received.size >= users - connections, `${mailServer.received.size} mails`);
  });

/** A mail server that counts the mails to each address. */
async function startMailServer(t: TestContext) {
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
  return { received, url: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}` };
}
