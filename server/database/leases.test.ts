import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { createTestDatabase } from '../testing/databases.ts';
import { connect } from './connect.ts';
import { withLease } from './leases.ts';

it('work whose lease is lost is aborted with a sentence that says why', async (t) => {
  const test = await createTestDatabase('sqlite');
  t.after(test.remove);
  const database = connect(test);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const lostTo = async (change: () => Promise<unknown>) =>
    withLease({ database, databaseKind: 'sqlite' }, 'backup', async (lost) => {
      await change();
      t.mock.timers.tick(10_000);
      if (!lost.aborted) await once(lost, 'abort');
      lost.throwIfAborted();
    });
  const another = lostTo(() => database.updateTable('leases').set({ holder: 'another process' }).execute());
  await assert.rejects(another, { name: 'StartError', message: /^Outro processo começou o mesmo trabalho/ });
  await database.deleteFrom('leases').execute();
  const away = lostTo(() => database.destroy());
  await assert.rejects(away, { name: 'StartError', message: /^O banco de dados parou de responder/ });
});
