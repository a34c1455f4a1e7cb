import {
  type Activity,
  type ActivityInput,
  activities,
  activity,
  activityTag,
  type Counts,
  counts,
} from '#contract/activity.ts';
import { type ListName, listOf } from '#contract/axes.ts';
import { paths } from '#contract/paths.ts';
import {
  type AdminUserPatch,
  type MoodRecord,
  moodRecord,
  type OwnUserPatch,
  type UserRecord,
  type UsersPage,
  type UsersQuery,
  userRecord,
  usersPage,
} from '#contract/user.ts';
import type { AppCheckHeaders } from './app-check.ts';
import { ClientError } from './client-error.ts';
import type { Send } from './http.ts';

export type DocumentsClient = ReturnType<typeof createDocumentsClient>;

/** A list as it was read: `tag` is what a whole-list write must name in `If-Match`. */
export type ReadList = { activities: Activity[]; tag: string };

export function createDocumentsClient(send: Send, appCheck: AppCheckHeaders) {
  return {
    /** The user record, or `false` (and a line in the log) when there is none. */
    async getUser(uid: string, signal?: AbortSignal): Promise<UserRecord | false> {
      return orFalse(async () =>
        userRecord.parse(await (await send(paths.documents.user(uid), { signal })).json()),
      );
    },

    async updateUser(uid: string, patch: OwnUserPatch | AdminUserPatch): Promise<UserRecord> {
      const response = await send(paths.documents.user(uid), { method: 'PATCH', body: patch });
      return userRecord.parse(await response.json());
    },

    /** One page of users by name. Admin only. */
    async listUsers(query: UsersQuery = {}, signal?: AbortSignal): Promise<UsersPage> {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) search.set(name, String(value));
      const response = await send(`${paths.documents.users}?${search}`, { signal });
      return usersPage.parse(await response.json());
    },

    /** The mood record, or `false` (and a line in the log) when there is none. */
    async getWordMood(uid: string, signal?: AbortSignal): Promise<MoodRecord | false> {
      return orFalse(async () =>
        moodRecord.parse(await (await send(paths.documents.wordMood(uid), { signal })).json()),
      );
    },

    async getActivities(list: ListName, signal?: AbortSignal): Promise<ReadList> {
      const response = await send(paths.documents.activities(list), { signal });
      const body = (await response.json()) as Record<string, unknown>;
      return { activities: activities.parse(body[list]), tag: response.headers.get('etag') ?? '' };
    },

    /**
     * Writes a whole list: for another order, or to import.
     * @throws ClientError `documents/precondition-failed` when the list changed since `tag` was read
     */
    async replaceActivities(list: ListName, next: Activity[], tag: string): Promise<ReadList> {
      const response = await send(paths.documents.activities(list), {
        method: 'PUT',
        body: { [list]: next },
        headers: { 'if-match': tag },
      });
      const body = (await response.json()) as Record<string, unknown>;
      return { activities: activities.parse(body[list]), tag: response.headers.get('etag') ?? '' };
    },

    /** Appends an activity to the list of its axis. */
    async createActivity(input: ActivityInput): Promise<Activity> {
      const path = paths.documents.activityItems(listOf(input.axis));
      return activity.parse(await (await send(path, { method: 'POST', body: input })).json());
    },

    /**
     * Saves an edit of `base`. A new axis moves the activity to that axis's list.
     * @throws ClientError `documents/precondition-failed`, with the newer activity as `current`, when
     *   somebody saved since `base` was read
     */
    async updateActivity(base: Activity, input: ActivityInput): Promise<Activity> {
      const response = await send(paths.documents.activityItem(listOf(base.axis), base.id), {
        method: 'PUT',
        body: input,
        headers: { 'if-match': activityTag(base) },
      });
      return activity.parse(await response.json());
    },

    async deleteActivity(target: Pick<Activity, 'axis' | 'id'>): Promise<void> {
      await send(paths.documents.activityItem(listOf(target.axis), target.id), { method: 'DELETE' });
    },

    /** Asks for the letter. The answer is the same whatever the address; a mail asks to confirm. */
    async subscribeToNewsletter(email: string): Promise<void> {
      const body = { email, consent: true };
      await send(paths.documents.newsletter, { method: 'POST', body, headers: await appCheck() });
    },

    /** Exchanges the token of a mailed link: the letter is wanted. */
    async confirmNewsletter(token: string): Promise<void> {
      await send(paths.documents.newsletterConfirm, { method: 'POST', body: { token } });
    },

    /** Exchanges the token of a mailed link: the letter is not wanted any more, the address is removed. */
    async leaveNewsletter(token: string): Promise<void> {
      await send(paths.documents.newsletterLeave, { method: 'POST', body: { token } });
    },

    /** How many users and activities there are. Admin only. */
    async getCounts(signal?: AbortSignal): Promise<Counts> {
      return counts.parse(await (await send(paths.documents.counts, { signal })).json());
    },
  };
}

/** A missing document is no failure: it is logged and `false` is returned, as the specification says. */
async function orFalse<T>(read: () => Promise<T>): Promise<T | false> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ClientError && error.code === 'documents/not-found')) throw error;
    console.info(error.message);
    return false;
  }
}
