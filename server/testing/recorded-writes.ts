import assert from 'node:assert/strict';
import { ClientError } from '#client/client-error.ts';
import type { Activity } from '#contract/activity.ts';
import { formAxes, listNames, listOf } from '#contract/axes.ts';
import { sampleActivity } from './samples.ts';
import { type TestUser, visitorAt } from './server.ts';

/** Changes of the library by several clients, and which of them the server acknowledged. */
export type RecordedWrites = {
  /** The number of activities whose creation was acknowledged. */
  readonly count: number;
  /**
   * Creates, edits and deletes activities until a request fails, or until `progress` returns `'enough'`.
   * @throws errors other than those in `expected`
   */
  write(
    writer: TestUser,
    expected: string[],
    progress?: () => undefined | Promise<'enough' | undefined>,
  ): Promise<void>;
  /** @throws AssertionError if the server lost or changed an acknowledged write, or applied one partly */
  assertKept(reader: TestUser): Promise<void>;
};

export function recordWrites(): RecordedWrites {
  /** The newest acknowledged activity for each id; `undefined` after its deletion. */
  const acknowledged = new Map<string, Activity | undefined>();
  /** The edits and deletions without a successful response, by the activity's id. */
  const underWay = new Map<string, 'edit' | 'delete'>();

  return {
    get count() {
      return acknowledged.size;
    },
    async write({ client }, expected, progress = () => {}) {
      try {
        for (let step = 0; ; step += 1) {
          const axis = formAxes[step % formAxes.length] ?? 'mind';
          let newest = await client.documents.createActivity(
            sampleActivity({ axis, title: `Passo ${step}` }),
          );
          const { id } = newest;
          acknowledged.set(id, newest);
          if (step % 3 === 1) {
            underWay.set(id, 'edit');
            newest = await client.documents.updateActivity(
              newest,
              sampleActivity({ axis: 'move', title: 'Editado' }),
            );
            acknowledged.set(id, newest);
            underWay.delete(id);
          }
          if (step % 5 === 4) {
            underWay.set(id, 'delete');
            await client.documents.deleteActivity(newest);
            acknowledged.set(id, undefined);
            underWay.delete(id);
          }
          if ((await progress()) === 'enough') return;
        }
      } catch (error) {
        if (!(error instanceof ClientError && expected.includes(error.code))) throw error;
      }
    },
    async assertKept({ client }) {
      const stored = new Map<string, Activity>();
      for (const list of listNames) {
        const { activities } = await client.documents.getActivities(list);
        for (const activity of activities) {
          assert.equal(listOf(activity.axis), list);
          assert.ok(!stored.has(activity.id), 'an activity is in one list, once');
          stored.set(activity.id, activity);
        }
      }
      for (const [id, newest] of acknowledged) {
        const found = stored.get(id);
        // An unacknowledged edit or deletion was applied completely or not at all.
        if (underWay.get(id) === 'edit' && found?.title === 'Editado') acknowledged.set(id, found);
        else if (underWay.get(id) === 'delete' && !found) acknowledged.set(id, undefined);
        else assert.deepEqual(found, newest);
        underWay.delete(id);
      }
    },
  };
}

/** Returns the account of one of the admins that `signUpAdmins` signs up. */
export const adminAccount = (index: number) => ({
  displayName: `Admin ${index}`,
  email: `admin${index}@exemplo.com.br`,
  password: 'senha12345',
});

/** Signs up admins. The first one uses the one-time link, and makes the others admins. */
export async function signUpAdmins(url: string, firstAdminPath: string, count: number): Promise<TestUser[]> {
  const admins: TestUser[] = [];
  for (let index = 0; index < count; index += 1) {
    const admin = visitorAt(url, url);
    const { user } = await admin.client.auth.signUp(adminAccount(index));
    if (index === 0) await admin.client.auth.becomeFirstAdmin(firstAdminPath.split('#')[1] ?? '');
    else await admins[0]?.client.documents.updateUser(user.uid, { member: 'admin' });
    admins.push(admin);
  }
  return admins;
}
