import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { dayInBrasilia } from '#contract/calendar.ts';
import type { ReminderChange } from '#contract/reminder.ts';
import { reminderLeavePath } from '#contract/reminder.ts';
import { clockOf } from '#contract/site/clock.ts';
import { databaseKinds } from '../testing/databases.ts';
import { mailsIn, startMailbox } from '../testing/peers/mailbox.ts';
import { refusedWith } from '../testing/refused.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { publishName } from '../testing/site-content.ts';

type Answer = NonNullable<NonNullable<Parameters<typeof startMailbox>[0]>['answer']>;
type User = Awaited<ReturnType<TestServer['join']>>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const subject = 'Um lembrete que você pediu';
const everyDay = [0, 1, 2, 3, 4, 5, 6];

/** A zone in which it is now around noon, so that "today" does not change during the test. */
const zone = ['Etc/GMT', 'Etc/GMT+8', 'Etc/GMT-8'].find((name) => {
  const { minute } = clockOf(name, new Date());
  return minute >= 7 * 60 && minute < 16 * 60;
}) as string;
const today = () => clockOf(zone, new Date()).date;
const times: ReminderChange = { on: true, weekdays: everyDay, hour: 23, zone };

for (const kind of databaseKinds) {
  describe(`a reminder on ${kind}`, { concurrency: true }, () => {
    it('is off until the user turns it on, and shows the sender before', async (t) => {
      const environment = { MAIL_FROM: 'Clínica <voz@clinica.exemplo.com.br>', REMINDER_FROM_NAME: 'Aviso' };
      const server = await startTestServer(t, kind, { environment });
      const user = await server.join();
      const client = await user.client.reminder();
      const first = await client.read();
      assert.deepEqual([first.on, first.times, first.nextAt, first.sentAt], [false, null, null, null]);
      assert.deepEqual(first.sender, { name: 'Aviso', address: 'voz@clinica.exemplo.com.br' });
      assert.deepEqual([first.email, first.emailVerified], [user.email, false]);
      await assert.rejects(client.change(times), refusedWith('documents/reminder-email-unverified'));
      await assert.rejects(client.sendTest(), refusedWith('documents/reminder-email-unverified'));
      await verify(server);
      await assert.rejects(
        client.change({ ...times, zone: 'Europe/Nowhere' }),
        refusedWith('request/invalid'),
      );
      const on = await client.change(times);
      assert.deepEqual([on.on, on.times], [true, { weekdays: everyDay, hour: 23, zone }]);
      assert.ok((on.nextAt ?? 0) > Date.now());
      const off = await client.change({ ...times, on: false, hour: 7 });
      assert.deepEqual([off.on, off.times?.hour, off.nextAt], [false, 7, null]);
    });

    it('says nothing about the site, has a link that ends it with one click, and is sent once', async (t) => {
      const site = await siteWith(t, kind);
      const { server, mailbox } = site;
      const admin = await server.join('admin');
      await publishName(admin.client, 'Canário Azul');
      const user = await site.joinWithWork();
      await makeDue(server, user);
      const mail = await mailbox.take(user.email);
      const raw = JSON.stringify(mail);
      assert.equal(mail.subject, subject);
      assert.deepEqual(mail.from, { name: 'Lembrete', address: 'voz@exemplo.com.br' });
      for (const word of ['Canário', 'Azul', 'Respirar', 'Dra.', 'prática', 'humor', 'clínica', 'Lúcia'])
        assert.ok(!raw.toLowerCase().includes(word.toLowerCase()), word);
      assert.ok(!/<img|background="|url\(|src=/i.test(mail.html ?? ''), 'nothing is loaded');
      assert.ok(mail.text?.includes(`${server.origin}/semana`));
      const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? '';
      assert.equal(header('auto-submitted'), 'auto-generated');
      assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
      const client = await user.client.reminder();
      const sent = await until(client.read, ({ sentAt }) => sentAt !== null);
      assert.ok(clockOf(zone, new Date(sent.nextAt ?? 0)).date > today(), 'the next one is on another day');
      // A later hour of the same day does not bring a second one.
      const later = await client.change({ ...times, hour: 23 });
      assert.ok(clockOf(zone, new Date(later.nextAt ?? 0)).date > today());

      const leave = new URL(/^<(\S+)>$/.exec(header('list-unsubscribe'))?.[1] ?? '').pathname;
      assert.ok(mail.text?.includes(leave));
      assert.equal((await fetch(server.url + leave, { redirect: 'manual' })).status < 500, true);
      assert.equal((await client.read()).on, true, 'a GET changes nothing');
      const post = (path: string, body: string) =>
        fetch(server.url + path, { method: 'POST', body: new URLSearchParams(body), redirect: 'manual' });
      assert.equal((await post(leave, 'List-Unsubscribe=One-Click')).status, 200);
      assert.equal((await client.read()).on, false);
      const again = await post(leave, '');
      assert.deepEqual([again.status, again.headers.get('location')], [303, reminderLeavePath('feito')]);
      const wrong = await post(reminderLeavePath('x.y'), '');
      assert.deepEqual([wrong.status, wrong.headers.get('location')], [303, reminderLeavePath('invalido')]);
      assert.equal((await post(reminderLeavePath('x.y'), 'List-Unsubscribe=One-Click')).status, 400);
    });

    it('is sent only if something is open, and not more than three hours late', async (t) => {
      const site = await siteWith(t, kind);
      const { server, mailbox } = site;
      const monday = mondayOfToday();
      const others = {
        done: await site.joinWithWork(),
        notToday: await site.joinWithWork(),
        enough: await site.joinWithWork({ timesPerWeek: 1 }),
        aside: await site.joinWithWork({ skippedWeeks: JSON.stringify([monday]) }),
        withdrawn: await site.joinWithWork({ withdrawnAt: 1 }),
        over: await site.joinWithWork({ toDay: dayFromToday(-1) }),
        without: await server.join(),
        late: await site.joinWithWork(),
        unverified: await site.joinWithWork(),
        alsoOpen: await site.joinWithWork({ timesPerWeek: 2 }),
      };
      const answer = async (user: User, day: string, state: 'done' | 'not-done') => {
        const values = { assignmentId: `tarefa-${user.uid}`, day, state };
        await server.database.insertInto('assignmentDays').values(values).execute();
      };
      await answer(others.done, today(), 'done');
      await answer(others.notToday, today(), 'not-done');
      const otherDay = today() === monday ? dayFromToday(1) : monday;
      await answer(others.enough, otherDay, 'done');
      await answer(others.alsoOpen, otherDay, 'done');
      await verify(server);
      for (const user of Object.values(others)) await turnOn(user);
      await server.database
        .updateTable('users')
        .set({ emailVerified: false })
        .where('id', '=', others.unverified.uid)
        .execute();
      await makeDue(server, others.late, 3 * hourMs + minuteMs);
      for (const user of Object.values(others)) if (user !== others.late) await makeDue(server, user);
      await until(
        () => server.database.selectFrom('reminders').select('nextAt').execute(),
        (rows) => rows.every(({ nextAt }) => Number(nextAt) > Date.now()),
      );
      await mailbox.take(others.alsoOpen.email);
      assert.deepEqual(mailbox.left(), []);
    });

    it('leaves once with two instances, and never again after a kill; an outage of a day brings none', async (t) => {
      const site = await siteWith(t, kind);
      const { server, mailbox } = site;
      if (kind === 'postgres') await server.twin();
      const users = await Promise.all(Array.from({ length: 6 }, () => site.joinWithWork()));
      for (const user of users) await turnOn(user);
      const [killed, outage] = users as [User, User];
      // As a server leaves it that was killed after the mark: the next one is planned.
      await server.database
        .updateTable('reminders')
        .set({ claimedAt: Date.now(), nextAt: Date.now() + dayMs })
        .where('uid', '=', killed.uid)
        .execute();
      const rest = users.filter((user) => user !== killed && user !== outage);
      await makeDue(server, outage, dayMs);
      for (const user of rest) await makeDue(server, user);
      for (const user of rest) await mailbox.take(user.email);
      await until(
        () => server.database.selectFrom('reminders').select('nextAt').execute(),
        (rows) => rows.every(({ nextAt }) => Number(nextAt) > Date.now()),
      );
      assert.deepEqual(mailbox.left(), []);
    });

    it('is tried again after a 4xx, stops after a 5xx to RCPT, and is not repeated if it may have arrived', async (t) => {
      const refusals = new Map<string, [Parameters<Answer>[0], number | 'cut']>();
      const cut = Promise.withResolvers<void>();
      const answer: Answer = (step, recipient) => {
        const [refusedStep, result] = refusals.get(recipient) ?? [];
        if (step !== refusedStep) return undefined;
        if (result === 'cut') cut.resolve();
        return result;
      };
      const site = await siteWith(t, kind, answer);
      const { server, mailbox } = site;
      const users = [await site.joinWithWork(), await site.joinWithWork(), await site.joinWithWork()];
      const [later, refused, unsure] = users as [User, User, User];
      refusals.set(later.email, ['recipient', 451]);
      refusals.set(refused.email, ['recipient', 550]);
      refusals.set(unsure.email, ['content', 'cut']);
      for (const user of users) await turnOn(user);
      for (const user of users) await makeDue(server, user);
      const rowOf = ({ uid }: User) =>
        server.database.selectFrom('reminders').selectAll().where('uid', '=', uid).executeTakeFirstOrThrow();
      const waiting = await until(
        () => rowOf(later),
        (row) => Number(row.notBefore) > Date.now(),
      );
      assert.ok(Number(waiting.nextAt) < Date.now());
      const stopped = await until(
        async () => (await refused.client.reminder()).read(),
        ({ stoppedBy }) => stoppedBy === 'refused',
      );
      assert.equal(stopped.on, false);
      await cut.promise;
      refusals.clear();
      await server.database.updateTable('reminders').set({ notBefore: 0 }).execute();
      await mailbox.take(later.email);
      assert.ok(Number((await rowOf(unsure)).nextAt) > Date.now());
      assert.deepEqual(mailbox.left(), []);
    });

    it('is sent although the mail server refuses the mails of many others again and again', async (t) => {
      const refused = new Set<string>();
      const site = await siteWith(t, kind, (step, recipient) =>
        step === 'content' && refused.has(recipient) ? 554 : undefined,
      );
      const { server, mailbox } = site;
      const user = await site.joinWithWork();
      const others = await Promise.all(Array.from({ length: 5 }, () => site.joinWithWork()));
      for (const { email } of others) refused.add(email);
      for (const one of [user, ...others]) await turnOn(one);
      await server.database.transaction().execute(async (transaction) => {
        const dueSince = (minutes: number, notBefore: number) =>
          transaction.updateTable('reminders').set({ nextAt: Date.now() - minutes * minuteMs, notBefore });
        // As after a first try, whose time has come again.
        await dueSince(10, Date.now()).where('uid', '!=', user.uid).execute();
        await dueSince(5, 0).where('uid', '=', user.uid).execute();
      });
      await mailbox.take(user.email);
    });

    it('stops after four weeks without a visit, and says so once', async (t) => {
      const site = await siteWith(t, kind);
      const { server, mailbox } = site;
      const user = await site.joinWithWork();
      await turnOn(user);
      const lastSeenOn = dayInBrasilia(Date.now() - 29 * dayMs);
      await server.database.updateTable('users').set({ lastSeenOn }).execute();
      await server.database.updateTable('reminders').set({ nextAt: Date.now() }).execute();
      const mail = await mailbox.take(user.email);
      assert.equal(mail.subject, subject);
      assert.match(mail.text ?? '', /o lembrete parou sozinho/);
      const state = await (await user.client.reminder()).read();
      assert.deepEqual([state.on, state.stoppedBy, state.sentAt], [false, 'unvisited', null]);
      assert.equal((await (await user.client.reminder()).change(times)).stoppedBy, null);
    });
  });
}

it('a test of the reminder looks like the reminder, three times an hour', async (t) => {
  const server = await startTestServer(t, 'sqlite');
  const user = await server.join();
  await verify(server);
  const client = await user.client.reminder();
  for (let count = 0; count < 3; count += 1) await client.sendTest();
  await assert.rejects(client.sendTest(), refusedWith('auth/too-many-attempts'));
  const mails = (await mailsIn(server.dataDir)).filter((mail) => mail.subject === subject);
  assert.equal(mails.length, 3);
  assert.match(mails[0]?.text ?? '', /Este é um teste/);
  assert.ok(mails[0]?.headers.some(({ key }) => key === 'list-unsubscribe'));
  assert.equal((await client.read()).sentAt, null);
});

/** A server with a mail server, and users with an assignment for today. */
async function siteWith(t: TestContext, kind: TestServer['kind'], answer: Answer = () => undefined) {
  const mailbox = await startMailbox({ answer });
  t.after(() => mailbox.stop());
  const environment = { SMTP_URL: mailbox.url, MAIL_FROM: 'voz@exemplo.com.br' };
  const server = await startTestServer(t, kind, { environment });
  const left = () => mailbox.left().filter((mail) => mail.subject === subject);
  /** Takes the next reminder to this address. */
  async function take(address: string) {
    for (;;) {
      const mail = await mailbox.take(address);
      if (mail.subject === subject) return mail;
    }
  }
  async function joinWithWork(changes: object = {}) {
    const user = await server.join();
    const assignment = {
      ...{ id: `tarefa-${user.uid}`, uid: user.uid, clinicianUid: 'd', clinicianName: 'Dra. Azul' },
      ...{ activityId: 'a', title: 'Respirar', fromDay: dayFromToday(-7), toDay: dayFromToday(7) },
      ...{ timesPerWeek: 7, skippedWeeks: '[]', createdAt: 1, withdrawnAt: null, sealed: null },
    };
    await server.database
      .insertInto('assignments')
      .values({ ...assignment, ...changes })
      .execute();
    await verify(server);
    return user;
  }
  return { server, mailbox: { left, take }, joinWithWork };
}

const verify = ({ database }: TestServer) =>
  database.updateTable('users').set({ emailVerified: true }).execute();

const turnOn = async (user: User) => (await user.client.reminder()).change(times);

/** Turns the reminder on, as if its time had come. */
async function makeDue({ database }: TestServer, user: User, agoMs = minuteMs) {
  if (!(await (await user.client.reminder()).read()).on) await turnOn(user);
  await database
    .updateTable('reminders')
    .set({ nextAt: Date.now() - agoMs })
    .where('uid', '=', user.uid)
    .execute();
}

const dayFromToday = (days: number) =>
  new Date(Date.parse(`${today()}T00:00Z`) + days * dayMs).toISOString().slice(0, 10);

function mondayOfToday(): string {
  const weekday = new Date(`${today()}T00:00Z`).getUTCDay();
  return dayFromToday(-((weekday + 6) % 7));
}

async function until<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    await wait(20);
  }
}
