import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { ClientError } from '#client/client-error.ts';
import { paths } from '#contract/paths.ts';
import { networkOf } from '../http/networks.ts';
import { databaseKinds, isFullLevel } from '../testing/databases.ts';
import { tokenIn } from '../testing/peers/mailbox.ts';
import { refusedWith } from '../testing/refused.ts';
import { startTestServer, type TestServer, type TestUser, visitorAt } from '../testing/server.ts';
import { countAttempts, rateLimits, tryAttempts } from './rate-limits.ts';

const behindProxy = { environment: { TRUSTED_PROXIES: '127.0.0.1' } };
const metricsToken = 'a token of the tests, which is long enough';
/** Hashing a password takes 40 ms, so 200 simultaneous sign-ins fill the queue, and some are refused. */
const flooded = { ...behindProxy, passwordCost: 8_192 };

/** Uses up the sign-in attempts that unknown browsers have on an account, except for `left` of them. */
async function exhaust(server: TestServer, email: string, left = 0) {
  for (let index = left; index < rateLimits.signInByAccount.attempts; index += 1)
    await countAttempts(server, [['signInByAccount', email]]);
}

/** Tries a password, with `address` in X-Forwarded-For. */
function guess(server: TestServer, email: string, address: string, password = 'errada12345') {
  return fetch(server.url + paths.auth.signIn, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.origin, 'x-forwarded-for': address },
    body: JSON.stringify({ email, password }),
  });
}

for (const kind of databaseKinds) {
  describe(`rate limits on ${kind}`, { concurrency: true }, () => {
    it('stops guessing at one account from one IP address, and says when to retry', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await server.join(), await server.join()];
      const { attempts, windowMs } = rateLimits.signInByAccountAndAddress;
      for (let index = 0; index < attempts; index += 1) {
        // Without a trusted proxy, the server ignores X-Forwarded-For.
        assert.equal((await guess(server, ana.email, `10.0.0.${index}`)).status, 401);
      }
      const refused = await guess(server, ana.email, '10.0.1.1', ana.password);
      assert.equal(refused.status, 429);
      const seconds = Number(refused.headers.get('retry-after'));
      assert.ok(seconds > 0 && seconds <= windowMs / 1_000);
      await server.visitor.client.auth.signIn({ email: bia.email, password: bia.password });
    });

    it('does not let strangers lock an owner out of a known browser', async (t) => {
      const server = await startTestServer(t, kind, behindProxy);
      const ana = await server.join();
      await ana.client.auth.signOut();
      await ana.client.auth.signIn({ email: ana.email, password: ana.password });
      await ana.client.auth.signOut();
      // Simulates the attempts of many strangers, each from another network.
      await exhaust(server, ana.email, 1);
      assert.equal((await guess(server, ana.email, '10.0.0.1')).status, 401);
      assert.equal((await guess(server, ana.email, '10.0.0.2')).status, 429);
      assert.equal((await guess(server, ana.email, '10.9.9.9', ana.password)).status, 429);
      await ana.client.auth.signIn({ email: ana.email, password: ana.password });
    });

    it('lets users sign in again in every known browser after attempts of many strangers', async (t) => {
      const server = await startTestServer(t, kind, {
        environment: { ...behindProxy.environment, REQUIRE_VERIFIED_EMAIL: 'true' },
      });
      const credentials = { email: 'ana@exemplo.com.br', password: 'senha12345' };
      const { client } = server.visitor;
      const unverified = client.auth.signUp({ displayName: 'Ana', ...credentials });
      await assert.rejects(unverified, refusedWith('auth/email-not-verified'));
      const [mail] = await server.mails();
      await client.auth.verifyEmail({ token: tokenIn(mail ?? assert.fail('no mail')) });
      assert.ok(await client.auth.findSession(), 'the link begins the session');
      await client.auth.signOut();
      await exhaust(server, credentials.email);
      await client.auth.signIn(credentials);

      // A browser that has never signed in to the account is still refused.
      const elsewhere = visitorAt(server.url);
      await assert.rejects(elsewhere.client.auth.signIn(credentials), refusedWith('auth/too-many-attempts'));
    });

    it('remembers the browser after a sign-up and after a password change', async (t) => {
      const server = await startTestServer(t, kind, behindProxy);
      const ana = await server.join();
      await ana.client.auth.signOut();
      await exhaust(server, ana.email);
      await ana.client.auth.signIn({ email: ana.email, password: ana.password });

      const response = await ana.fetch(paths.auth.changePassword, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ current: ana.password, next: 'outrasenha99' }),
      });
      assert.equal(response.status, 204);
      assert.ok(response.headers.getSetCookie().some((line) => line.startsWith('acolhe-known=')));
    });

    it('lets an owner ask for a reset when strangers have used up the attempts', async (t) => {
      const server = await startTestServer(t, kind, behindProxy);
      const ana = await server.join();
      for (let index = 0; index < rateLimits.resetByAccount.attempts + 2; index += 1)
        await server.visitor.client.auth.requestPasswordReset(ana.email);
      assert.equal((await server.mails()).length, rateLimits.resetByAccount.attempts);
      for (let index = 0; index < rateLimits.resetByAccount.attempts; index += 1)
        await ana.client.auth.requestPasswordReset(ana.email);
      assert.equal((await server.mails()).length, 2 * rateLimits.resetByAccount.attempts);
    });

    it('counts in the database, so that two instances share the counts', async (t) => {
      const server = await startTestServer(t, kind);
      const twin = await server.twin();
      const ana = await server.join();
      const wrong = { email: ana.email, password: 'errada12345' };
      const strangers = [visitorAt(server.url), visitorAt(twin.url)];
      for (let index = 0; index < rateLimits.signInByAccountAndAddress.attempts; index += 1) {
        await assert.rejects(Promise.resolve(strangers[index % 2]?.client.auth.signIn(wrong)));
      }
      const right = { email: ana.email, password: ana.password };
      for (const { client } of strangers)
        await assert.rejects(client.auth.signIn(right), refusedWith('auth/too-many-attempts'));
    });

    it('counts the networks of one IPv6 site together, too', async (t) => {
      const store = await startTestServer(t, kind);
      const { attempts } = rateLimits.googleByAddress;
      const ask = (address: string) => tryAttempts(store, ['googleByAddress', networkOf(address)]);
      for (let index = 0; index < 4 * attempts; index += 1)
        assert.equal(await ask(`2001:db8:1:${index.toString(16)}::1`), true);
      assert.equal(await ask('2001:db8:1:ffff::1'), false);
      assert.equal(await ask('2001:db8:2:ffff::1'), true);
    });

    it('bounds the challenges of the app check that a visitor gets, but not those of a user', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join();
      for (let count = 1; count < rateLimits.challengeByAddress.attempts; count += 1)
        await countAttempts(server, [['challengeByAddress', '127.0.0.1']]);
      const ask = async ({ fetch }: TestUser) => (await fetch(paths.auth.appCheckChallenge)).status;
      assert.equal(await ask(server.visitor), 429);
      assert.equal(await ask(ana), 200);
    });

    it('has windows that end in time when the clock jumps forward and back', async (t) => {
      const store = await startTestServer(t, kind);
      const { attempts, windowMs } = rateLimits.signInByAccount;
      const now = Date.now();
      const later = now + 8 * 24 * 60 * 60_000;
      for (let index = 0; index <= attempts; index += 1)
        await countAttempts(store, [['signInByAccount', 'ana']], later);
      const [back] = await countAttempts(store, [['signInByAccount', 'ana']], now);
      assert.deepEqual([back?.count, back?.endsAt], [1, now + windowMs]);
      const [next] = await countAttempts(store, [['signInByAccount', 'ana']], now + 1);
      assert.deepEqual([next?.count, next?.endsAt], [2, now + windowMs]);
    });

    it('resets the count of wrong passwords after the right password', async (t) => {
      const server = await startTestServer(t, kind);
      const ana = await server.join();
      const { client } = server.visitor;
      for (let round = 0; round < 3; round += 1) {
        for (let index = 0; index < 6; index += 1) {
          await assert.rejects(client.auth.signIn({ email: ana.email, password: 'errada12345' }));
        }
        await client.auth.signIn({ email: ana.email, password: ana.password });
      }
    });

    it('stores no digest of an address that can be computed without the secret', async (t) => {
      const server = await startTestServer(t, kind);
      const { email } = await server.join();
      assert.equal((await guess(server, email, '10.0.0.1')).status, 401);
      const keys = (await server.database.selectFrom('attempts').select('key').execute()).map(
        ({ key }) => key,
      );
      assert.ok(keys.some((key) => key.startsWith('signInByAccount ')));
      for (const subject of [email, '127.0.0.1', `${email} 127.0.0.1`])
        for (const encoding of ['hex', 'base64', 'base64url'] as const) {
          const digest = createHash('sha256').update(subject).digest(encoding);
          assert.ok(
            keys.every((key) => !key.includes(subject) && !key.includes(digest)),
            subject,
          );
        }
    });

    it('mails a mailbox at most five times in 15 minutes, no matter what a stranger requests', async (t) => {
      const server = await startTestServer(t, kind, {
        environment: { ...behindProxy.environment, REQUIRE_VERIFIED_EMAIL: 'true' },
      });
      const { auth } = server.visitor.client;
      const account = (address: string) => ({ displayName: 'Ana', email: address, password: 'senha12345' });
      const names = ['anab', 'a.nab', 'an.ab', 'ana.b', 'a.n.ab', 'a.na.b', 'an.a.b', 'a.n.a.b'];
      const addresses = names.map((name, index) => `${name}@${index % 2 ? 'googlemail' : 'gmail'}.com`);
      const [first = ''] = addresses;
      for (const address of addresses) {
        await assert.rejects(auth.signUp(account(address)), refusedWith('auth/email-not-verified'));
        await server.mails();
      }
      const mail = (await server.mails()).find(({ to }) => to?.[0]?.address === first);
      await visitorAt(server.url).client.auth.verifyEmail({
        token: tokenIn(mail ?? assert.fail('no mail')),
        password: 'senha12345',
      });
      for (let turn = 0; turn < 8; turn += 1) {
        await guess(server, first, `10.3.0.${turn}`, 'senha12345');
        await assert.rejects(auth.signUp(account(first)));
        await auth.requestPasswordReset(turn < 4 ? first : (addresses[turn] ?? ''));
        await server.visitor.client.documents.subscribeToNewsletter(`ana.b+${turn}@gmail.com`);
        await server.mails();
      }
      const counts: Record<string, number> = {};
      for (const { subject = '' } of await server.mails()) counts[subject] = (counts[subject] ?? 0) + 1;
      const { attempts } = rateLimits.mailByRecipient;
      assert.deepEqual(counts, {
        'Confirme o seu e-mail · Nome Sobrenome': attempts,
        'Você já tem uma conta · Nome Sobrenome': attempts,
        'Criar uma nova senha · Nome Sobrenome': rateLimits.resetByAccount.attempts,
        'Confirme que quer receber a carta · Nome Sobrenome': attempts,
      });
    });

    it('has a budget an hour for mails to unverified addresses, and another one for new passwords', async (t) => {
      const server = await startTestServer(t, kind, {
        environment: { REQUIRE_VERIFIED_EMAIL: 'true', METRICS_TOKEN: metricsToken },
      });
      const { auth, documents } = server.visitor.client;
      const account = { displayName: 'Ana', email: 'ana@exemplo.com.br', password: 'senha12345' };
      await assert.rejects(auth.signUp(account), refusedWith('auth/email-not-verified'));
      const [mail] = await server.mails();
      await auth.verifyEmail({ token: tokenIn(mail ?? assert.fail('no mail')) });
      for (let count = 0; count < rateLimits.mailsAnHour.attempts; count += 1)
        await countAttempts(server, [['mailsAnHour', 'unverified']]);

      const other = { ...account, email: 'bia@exemplo.com.br' };
      await assert.rejects(auth.signUp(other), refusedWith('auth/email-not-verified'));
      await documents.subscribeToNewsletter('clara@exemplo.com.br');
      assert.equal((await server.mails()).length, 1);
      const authorization = `Bearer ${metricsToken}`;
      const metrics = await server.visitor.fetch('/metrics', { headers: { authorization } });
      assert.match(await metrics.text(), /^acolhe_mails_withheld 2$/m);
      await auth.requestPasswordReset(account.email);
      assert.equal((await server.mails()).length, 2);
    });

    it('refuses common passwords at sign-up and at reset', async (t) => {
      const server = await startTestServer(t, kind);
      const { auth } = server.visitor.client;
      const displayName = 'Maria Conceição';
      const email = 'maria.conceicao@exemplo.com.br';
      for (const password of [
        'password1',
        'PASSWORD1',
        '12345678',
        'qwertyuiop',
        'mariaconceicao',
        'conceicao',
      ]) {
        await assert.rejects(auth.signUp({ displayName, email, password }), (error: unknown) => {
          assert.ok(error instanceof ClientError);
          assert.equal(error.code, 'request/invalid', password);
          assert.equal(error.issues[0]?.path, 'password');
          return true;
        });
      }
      assert.deepEqual(await server.database.selectFrom('users').select('id').execute(), []);
    });
  });
}

// The queue of passwords is in the memory of the process, so these tests need only one kind of database.
if (isFullLevel)
  describe('a flood of sign-ins', { concurrency: true }, () => {
    it('fills only the queue of passwords, and other requests are answered meanwhile', async (t) => {
      const server = await startTestServer(t, 'sqlite', flooded);
      let settled = 0;
      const flood = Array.from({ length: 200 }, async (_, index) => {
        const response = await guess(server, `pessoa${index}@exemplo.com.br`, `10.1.${index}.1`);
        settled += 1;
        return response;
      });
      const list = await fetch(server.url + paths.documents.activities('mindActsList'));
      assert.equal(list.status, 200);
      assert.ok(settled < flood.length, 'the list was sent before the flood ended');
      const responses = await Promise.all(flood);
      const busy = responses.filter(({ status }) => status === 503);
      assert.ok(busy.length > 0 && busy.every(({ headers }) => Number(headers.get('retry-after')) > 0));
      assert.ok(responses.every(({ status }) => status === 401 || status === 503));
      assert.ok(responses.some(({ status }) => status === 401));
    });

    it('does not prevent a sign-in in a known browser', async (t) => {
      const server = await startTestServer(t, 'sqlite', flooded);
      const ana = await server.join();
      await ana.client.auth.signOut();
      const flood = Array.from({ length: 200 }, (_, index) =>
        guess(server, `pessoa${index}@exemplo.com.br`, `10.2.${index}.1`),
      );
      // The first refusal shows that the queue is full.
      const refused = flood.map(async (response) => {
        const { status } = await response;
        if (status !== 503) throw new Error(`The response has status ${status}.`);
      });
      await Promise.any(refused);
      await ana.client.auth.signIn({ email: ana.email, password: ana.password });
      const statuses = (await Promise.all(flood)).map(({ status }) => status);
      assert.ok(statuses.includes(503) && statuses.includes(401));
    });
  });

if (isFullLevel)
  it('a server that stops refuses at once the sign-ins that wait for the full queue', async (t) => {
    // A hash takes 85 ms, so the queue stays full for longer than a stop should take.
    const server = await startTestServer(t, 'sqlite', { ...behindProxy, passwordCost: 16_384 });
    const statuses: number[] = [];
    const flood = Array.from({ length: 60 }, async (_, index) => {
      statuses.push((await guess(server, `pessoa${index}@exemplo.com.br`, `10.3.${index}.1`)).status);
    });
    await Promise.race(flood);
    const closed = server.app.close();
    await Promise.all(flood);
    await closed;
    const atFirst = statuses.slice(0, 10);
    assert.ok(atFirst.includes(503), `responses in their order: ${statuses}`);
  });

describe('networks', () => {
  it('are the IPv4 address, and the /64 of an IPv6 address', () => {
    assert.equal(networkOf('203.0.113.7'), '203.0.113.7');
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
    assert.equal(networkOf('2001:0DB8::7'), '2001:db8:0:0::/64');
    assert.equal(networkOf('::1'), '0:0:0:0::/64');
    assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0::/64');
  });
});
