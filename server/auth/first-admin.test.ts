import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { databaseKinds } from '../testing/databases.ts';
import { refusedWith } from '../testing/refused.ts';
import { listAdminIds, startTestServer } from '../testing/server.ts';
import { findFirstAdminToken } from './first-admin.ts';

for (const kind of databaseKinds) {
  describe(`the first admin on ${kind}`, { concurrency: true }, () => {
    it('makes the first admin by a link that works once, and only while there is no admin', async (t) => {
      const server = await startTestServer(t, kind);
      const [ana, bia] = [await server.join(), await server.join()];
      const token = await findFirstAdminToken(server);
      assert.ok(token);
      await assert.rejects(
        server.visitor.client.auth.becomeFirstAdmin(token),
        refusedWith('auth/unauthenticated'),
      );
      await assert.rejects(ana.client.auth.becomeFirstAdmin(`${token}x`), refusedWith('auth/invalid-link'));
      const both = await Promise.allSettled(
        [ana, bia].map(({ client }) => client.auth.becomeFirstAdmin(token)),
      );
      assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      assert.equal((await listAdminIds(server.database)).length, 1);
      assert.equal(await findFirstAdminToken(server), undefined);
    });
  });
}
