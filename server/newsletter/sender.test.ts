import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { IssueDetails } from '#contract/newsletter.ts';
import { leavePath } from '#contract/newsletter.ts';
import type { DatabaseKind } from '../database/connect.ts';
import { databaseKinds } from '../testing/databases.ts';
import { mailsIn, startMailbox } from '../testing/peers/mailbox.ts';
import { refusedWith } from '../testing/refused.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const input = {
  subject: 'Dormir no calor',
  text: 'Olá.\n\nTrês coisas **simples**:\n\n- água\n- _pausa_\n- [um texto](https://exemplo.com.br/sono)',
  indexed: false,
};
type Answer = NonNullable<NonNullable<Parameters<typeof startMailbox>[0]>['answer']>;

for (const kind of databaseKinds) {
  describe(`an issue of the newsletter on ${kind}`, { concurrency: true }, () => {
    it('goes to every confirmed subscriber once, with links to read and to leave', async (t) => {
      const { server, issues, mailbox, addresses } = await siteWithSubscribers(t, kind, 9);
      await server.database
        .insertInto('newsletterSubscribers')
        .values({ id: 'x', email: 'nova@exemplo.com.br', consentedAt: 1, confirmedAt: null, mailedAt: 1 })
        .execute();
      const draft = await issues.create(input);
      assert.deepEqual([draft.state, draft.subscribers], ['draft', 9]);
      const twins = [issues.send(draft), issues.send(draft)];
      await Promise.allSettled(twins);
      const sent = await untilState(issues, draft.id, 'sent');
      assert.deepEqual(sent.progress, { recipients: 9, sent: 9, waiting: 0, refused: 0, unsure: 0 });
      const mails = mailbox.left();
      assert.deepEqual(mails.map(({ to }) => to?.[0]?.address).toSorted(), addresses);
      const [mail] = mails;
      const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value ?? '';
      assert.equal(mail?.subject, input.subject);
      assert.equal(header('auto-submitted'), 'auto-generated');
      assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
      const leave = /^<(\S+)>$/.exec(header('list-unsubscribe'))?.[1] ?? '';
      assert.ok(leave.startsWith(`${server.origin}/carta/sair/`));
      assert.match(mail?.html ?? '', /<strong>simples<\/strong>/);
      assert.match(mail?.text ?? '', /- um texto \(https:\/\/exemplo\.com\.br\/sono\)/);
      for (const text of [mail?.html, mail?.text])
        for (const link of [leave, `${server.origin}/carta/${draft.id}`]) assert.ok(text?.includes(link));
      assert.ok(!/<img|background="|url\(/i.test(mail?.html ?? ''), 'nothing tracks the reader');
      await assert.rejects(
        issues.change(sent, { ...input, text: 'Outro.' }),
        refusedWith('newsletter/already-sent'),
      );
      await assert.rejects(issues.remove(draft.id), refusedWith('newsletter/already-sent'));
      assert.equal((await issues.change(sent, { ...input, indexed: true })).indexed, true);
    });

    it('tries later after a 4xx, marks an address after a 5xx to RCPT, names what is unsure', async (t) => {
      const first = new Set<string>();
      const answer: Answer = (step, recipient) => {
        if (recipient.startsWith('pessoa1@') && step === 'recipient') return 550;
        if (recipient.startsWith('pessoa2@') && step === 'content') return 'cut';
        if (!recipient.startsWith('pessoa3@') || step !== 'recipient' || first.has(recipient))
          return undefined;
        first.add(recipient);
        return 451;
      };
      const { server, issues, mailbox } = await siteWithSubscribers(t, kind, 6, answer);
      const draft = await issues.create(input);
      await issues.send(draft);
      const { progress, refusedAddresses, unsureAddresses, problem } = await untilProgress(
        issues,
        draft.id,
        ({ sent, unsure, refused }) => sent === 3 && unsure === 1 && refused === 1,
      );
      assert.equal(progress.waiting, 1);
      assert.deepEqual(refusedAddresses, ['pessoa1@exemplo.com.br']);
      assert.deepEqual(unsureAddresses, ['pessoa2@exemplo.com.br']);
      assert.match(problem ?? '', /pediu para esperar/);
      // As if its time had come.
      await server.database.updateTable('newsletterDeliveries').set({ notBefore: 0 }).execute();
      await issues.resume(draft.id);
      const done = await untilState(issues, draft.id, 'sent');
      assert.deepEqual(done.progress, { recipients: 6, sent: 4, waiting: 0, refused: 1, unsure: 1 });
      assert.equal(mailbox.left().length, 4);
    });

    it('pauses when the mail server refuses something else, says why, and goes on', async (t) => {
      let refuses = true;
      const answer: Answer = (step) => (refuses && step === 'sender' ? 553 : undefined);
      const { server, issues, mailbox } = await siteWithSubscribers(t, kind, 3, answer);
      const draft = await issues.create(input);
      await issues.send(draft);
      const paused = await untilState(issues, draft.id, 'paused');
      assert.match(paused.problem ?? '', /recusou a carta: 553/);
      assert.equal(paused.progress.waiting, 3);
      // The other mails were under way when the first refusal paused the issue, and pause it, too.
      const underWay = server.database
        .selectFrom('newsletterDeliveries')
        .select('subscriberId')
        .where('state', '=', 'sending');
      while ((await underWay.execute()).length > 0) await wait(20);
      refuses = false;
      await issues.resume(draft.id);
      assert.equal((await untilState(issues, draft.id, 'sent')).progress.sent, 3);
      assert.equal(mailbox.left().length, 3);
    });

    it('is paused by its button; who leaves meanwhile gets nothing, and leaves no row', async (t) => {
      const gate = Promise.withResolvers<void>();
      const { server, issues, mailbox } = await siteWithSubscribers(
        t,
        kind,
        8,
        () => undefined,
        gate.promise,
      );
      const draft = await issues.create(input);
      await issues.send(draft);
      await untilProgress(issues, draft.id, () => mailbox.left().length === 4);
      await issues.pause(draft.id);
      gate.resolve();
      const paused = await untilProgress(issues, draft.id, ({ sent }) => sent === 4);
      assert.deepEqual([paused.state, paused.progress.waiting], ['paused', 4]);
      const [waiting] = await server.database.selectFrom('newsletterDeliveries').selectAll().execute();
      const leaver = waiting?.subscriberId ?? '';
      await server.database.deleteFrom('newsletterSubscribers').where('id', '=', leaver).execute();
      await issues.resume(draft.id);
      const done = await untilState(issues, draft.id, 'sent');
      assert.deepEqual(done.progress, { recipients: 8, sent: 7, waiting: 0, refused: 0, unsure: 0 });
    });

    it('never sends again what a killed server had begun', async (t) => {
      const { server, issues, mailbox } = await siteWithSubscribers(t, kind, 2);
      const draft = await issues.create(input);
      const begun = { state: 'sending' as const, heldUntil: 1 };
      await server.database
        .updateTable('newsletterIssues')
        .set({ state: 'paused', startedAt: 1, recipients: 1 })
        .execute();
      const [subscriber] = await server.database.selectFrom('newsletterSubscribers').select('id').execute();
      const row = { issueId: draft.id, subscriberId: subscriber?.id ?? '', attempts: 0, notBefore: 0 };
      await server.database
        .insertInto('newsletterDeliveries')
        .values({ ...row, ...begun })
        .execute();
      await issues.resume(draft.id);
      const done = await untilState(issues, draft.id, 'sent');
      assert.equal(done.unsureAddresses.length, 1);
      assert.equal(mailbox.left().length, 0);
    });

    it('lets a reader leave by one click of the mail program, and by the form of the page', async (t) => {
      const { server, issues, mailbox } = await siteWithSubscribers(t, kind, 3);
      const draft = await issues.create(input);
      await issues.send(draft);
      await untilState(issues, draft.id, 'sent');
      const links = mailbox
        .left()
        .map(({ text = '' }) => new URL(/Sair da carta:\s+(\S+)/.exec(text)?.[1] ?? '').pathname);
      const count = async () =>
        (await server.database.selectFrom('newsletterSubscribers').select('id').execute()).length;
      const post = (path: string, type: string, body: string) =>
        fetch(server.url + path, {
          method: 'POST',
          headers: { 'content-type': type },
          body,
          redirect: 'manual',
        });
      const [first = '', second = '', third = ''] = links;
      const form = 'application/x-www-form-urlencoded';
      assert.equal((await post(first, form, 'List-Unsubscribe=One-Click')).status, 200);
      assert.equal(await count(), 2);
      const parts =
        '--b\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
      assert.equal((await post(second, 'multipart/form-data; boundary=b', parts)).status, 200);
      const fromPage = await post(third, form, '');
      assert.deepEqual([fromPage.status, fromPage.headers.get('location')], [303, leavePath('feito')]);
      assert.equal(await count(), 0);
      const wrong = await post(leavePath('x.y'), form, '');
      assert.deepEqual([wrong.status, wrong.headers.get('location')], [303, leavePath('invalido')]);
      assert.equal((await post(leavePath('x.y'), form, 'List-Unsubscribe=One-Click')).status, 400);
    });
  });
}

it('a test of an issue goes to the admin only, and without a mail server into the outbox', async (t) => {
  const server = await startTestServer(t, 'sqlite');
  const admin = await server.join('admin');
  const issues = await admin.client.issues();
  const draft = await issues.create(input);
  await issues.test(draft);
  const changed = await issues.change(draft, { ...input, subject: 'Outro' });
  for (const stale of [issues.test(draft), issues.send(draft)])
    await assert.rejects(stale, refusedWith('documents/precondition-failed'));
  const mails = (await mailsIn(server.dataDir)).filter(({ subject }) => subject === input.subject);
  assert.deepEqual(
    mails.map(({ to }) => to?.[0]?.address),
    [admin.email],
  );
  await assert.rejects(issues.send(changed), refusedWith('newsletter/no-subscribers'));
  // A mail has the text twice, and its markup.
  const many = { ...input, text: 'a\n\n'.repeat(4_990) };
  await assert.rejects(issues.create(many), refusedWith('request/invalid'));
  assert.equal((await issues.read(draft.id)).state, 'draft');
});

type Issues = Awaited<ReturnType<Awaited<ReturnType<TestServer['join']>>['client']['issues']>>;

/** A server with confirmed subscribers, and a mail server that gives the answers of `answer`. */
async function siteWithSubscribers(
  t: TestContext,
  kind: DatabaseKind,
  count: number,
  answer: Answer = () => undefined,
  beforeResponse: Promise<void> = Promise.resolve(),
) {
  const mailbox = await startMailbox({ answer, beforeResponse: () => beforeResponse });
  t.after(() => mailbox.stop());
  const server = await startTestServer(t, kind, { environment: { SMTP_URL: mailbox.url } });
  const admin = await server.join('admin');
  const addresses = Array.from({ length: count }, (_, place) => `pessoa${place}@exemplo.com.br`);
  await server.database
    .insertInto('newsletterSubscribers')
    .values(
      addresses.map((email, place) => ({
        id: `id-${place}`,
        email,
        consentedAt: 1,
        confirmedAt: 2,
        mailedAt: 1,
      })),
    )
    .execute();
  const isIssue = (subject: string | undefined) => subject === input.subject;
  const left = () => mailbox.left().filter(({ subject }) => isIssue(subject));
  return { server, issues: await admin.client.issues(), mailbox: { left }, addresses };
}

async function untilProgress(
  issues: Issues,
  id: string,
  isDone: (progress: IssueDetails['progress']) => boolean,
): Promise<IssueDetails> {
  for (;;) {
    const issue = await issues.read(id);
    if (isDone(issue.progress)) return issue;
    await wait(20);
  }
}

async function untilState(issues: Issues, id: string, state: IssueDetails['state']): Promise<IssueDetails> {
  for (;;) {
    const issue = await issues.read(id);
    if (issue.state === state) return issue;
    await wait(20);
  }
}
