import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { databaseKinds } from '../testing/databases.ts';
import { refusedWith } from '../testing/refused.ts';
import { personAt, startTestServer, type TestServer } from '../testing/server.ts';

for (const kind of databaseKinds) {
  describe(`second factor on ${kind}`, { concurrency: true }, () => {
    it('is asked for after the password, once an admin has set it up and confirmed a code', async (t) => {
      const server = await startTestServer(t, kind);
      const admin = await server.join('admin');
      const credentials = { email: admin.email, password: admin.password };
      const { uri } = await admin.client.auth.beginSecondFactor(admin.password);
      assert.match(uri, /^otpauth:\/\/totp\//);
      assert.notEqual(
        await personAt(server.url).client.auth.signIn(credentials),
        'second-factor',
        'not confirmed yet',
      );
      await assert.rejects(admin.client.auth.confirmSecondFactor('000000'), refusedWith('auth/wrong-code'));
      await admin.client.auth.confirmSecondFactor(codeOf(uri));
      assert.equal((await admin.client.auth.findSession())?.user.secondFactor, true);

      const { client } = personAt(server.url);
      assert.equal(await client.auth.signIn(credentials), 'second-factor');
      assert.equal(await client.auth.findSession(), undefined, 'the password alone opens nothing');
      await assert.rejects(client.auth.finishSignIn('123456'), refusedWith('auth/wrong-code'));
      const session = await client.auth.finishSignIn(codeOf(uri));
      assert.equal(session.user.uid, admin.uid);
      await client.documents.getCounts();
    });

    it('can be answered with a recovery code, each of them once', async (t) => {
      const server = await startTestServer(t, kind);
      const { admin, recoveryCodes } = await joinWithSecondFactor(server);
      const [code = ''] = recoveryCodes;
      assert.ok(recoveryCodes.length >= 8);
      const { client } = personAt(server.url);
      await client.auth.signIn(admin);
      assert.equal((await client.auth.finishSignIn(code)).user.email, admin.email);
      const again = personAt(server.url).client;
      await again.auth.signIn(admin);
      await assert.rejects(again.auth.finishSignIn(code), refusedWith('auth/wrong-code'));
    });

    it('ends when the admin says so, with the password', async (t) => {
      const server = await startTestServer(t, kind);
      const { admin, client } = await joinWithSecondFactor(server);
      await assert.rejects(client.auth.endSecondFactor('errada12345'), refusedWith('auth/wrong-password'));
      await client.auth.endSecondFactor(admin.password);
      assert.notEqual(await personAt(server.url).client.auth.signIn(admin), 'second-factor');
      assert.deepEqual(await server.database.selectFrom('twoFactors').select('id').execute(), []);
    });

    it('limits how often a code may be guessed', async (t) => {
      const server = await startTestServer(t, kind);
      const { admin, uri } = await joinWithSecondFactor(server);
      const { client } = personAt(server.url);
      await client.auth.signIn(admin);
      for (let index = 0; index < 12; index += 1) {
        await assert.rejects(client.auth.finishSignIn(String(100_000 + index)));
      }
      await assert.rejects(client.auth.finishSignIn(codeOf(uri)), 'the question has been taken back');
    });

    it('keeps its secret and its codes unreadable in the database', async (t) => {
      const server = await startTestServer(t, kind);
      const { uri, recoveryCodes } = await joinWithSecondFactor(server);
      const secret = new URL(uri).searchParams.get('secret') ?? '';
      const dump = JSON.stringify(await server.database.selectFrom('twoFactors').selectAll().execute());
      for (const hidden of [secret, fromBase32(secret).toString(), ...recoveryCodes])
        assert.ok(!dump.includes(hidden));
    });
  });
}

async function joinWithSecondFactor(server: TestServer) {
  const { client, email, password } = await server.join('admin');
  const { uri, recoveryCodes } = await client.auth.beginSecondFactor(password);
  await client.auth.confirmSecondFactor(codeOf(uri));
  return { admin: { email, password }, client, uri, recoveryCodes };
}

/** What an authenticator shows now for this set-up (RFC 6238). */
function codeOf(uri: string): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const key = fromBase32(new URL(uri).searchParams.get('secret') ?? '');
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

function fromBase32(text: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...text.replaceAll('=', '')]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
