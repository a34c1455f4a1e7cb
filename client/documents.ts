import type { AccountExport } from '#contract/account.ts';
import type { Activity, ActivityInput, Counts, LatestActivity, ListedActivity } from '#contract/activity.ts';
import { type ListName, listOf } from '#contract/axes.ts';
import { paths } from '#contract/paths.ts';
import type {
  AdminUserPatch,
  ListedUser,
  MoodRecord,
  OwnUserPatch,
  UserRecord,
  UsersPage,
  UsersQuery,
} from '#contract/user.ts';
import type { AppCheckHeaders } from './app-check.ts';
import { ClientError } from './client-error.ts';
import type { Send } from './http.ts';
import { loadSchemas } from './schemas.ts';

type Schemas = Awaited<ReturnType<typeof loadSchemas>>;

export type DocumentsClient = ReturnType<typeof createDocumentsClient>;

/** A list as it was read: `tag` is what a whole-list write must name in `If-Match`. */
export type ReadList = { activities: Activity[]; tag: string };

/** The same without the texts. */
export type ReadSummaries = { activities: ListedActivity[]; tag: string };

export function createDocumentsClient(send: Send, appCheck: AppCheckHeaders) {
  const readWhole = (list: ListName, signal: AbortSignal | undefined) =>
    readList(list, send(paths.documents.activities(list), { signal }));

  return {
    /** The user record, or `false` (and a line in the log) when there is none. */
    async getUser(uid: string, signal?: AbortSignal): Promise<UserRecord | false> {
      return orFalse(async () => {
        const { body, schemas } = await answer(send(paths.documents.user(uid), { signal }));
        return schemas.userRecord.parse(body);
      });
    },

    async updateUser(uid: string, patch: OwnUserPatch | AdminUserPatch): Promise<UserRecord> {
      const { body, schemas } = await answer(
        send(paths.documents.user(uid), { method: 'PATCH', body: patch }),
      );
      return schemas.userRecord.parse(body);
    },

    /**
     * Changes the record of somebody in a list, as it was seen there. Admin only.
     * @throws ClientError `documents/precondition-failed`, with the record as `current`, when it changed since
     */
    async updateListedUser(seen: ListedUser, patch: AdminUserPatch): Promise<ListedUser> {
      const sent = send(paths.documents.user(seen.id), {
        method: 'PATCH',
        body: patch,
        headers: { 'if-match': seen.tag },
      });
      const { body, schemas, tag } = await answer(sent);
      return { ...schemas.userRecord.parse(body), createdAt: seen.createdAt, tag };
    },

    /** The record of somebody in a list as it is now. Admin only. */
    async refreshListedUser(seen: ListedUser): Promise<ListedUser> {
      const { body, schemas, tag } = await answer(send(paths.documents.user(seen.id)));
      return { ...schemas.userRecord.parse(body), createdAt: seen.createdAt, tag };
    },

    /** One page of users. Admin only. */
    async listUsers(query: UsersQuery = {}, signal?: AbortSignal): Promise<UsersPage> {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) search.set(name, String(value));
      const { body, schemas } = await answer(send(`${paths.documents.users}?${search}`, { signal }));
      return schemas.usersPage.parse(body);
    },

    /** The mood record, or `false` (and a line in the log) when there is none. */
    async getWordMood(uid: string, signal?: AbortSignal): Promise<MoodRecord | false> {
      return orFalse(async () => {
        const { body, schemas } = await answer(send(paths.documents.wordMood(uid), { signal }));
        return schemas.moodRecord.parse(body);
      });
    },

    async getActivities(list: ListName, signal?: AbortSignal): Promise<ReadList> {
      return readWhole(list, signal);
    },

    /** A list without its texts: what its page needs at once. Admin only. */
    async getActivitySummaries(list: ListName, signal?: AbortSignal): Promise<ReadSummaries> {
      return readInParts<ListedActivity>(list, {
        read: (part) => send(`${paths.documents.activitySummaries(list)}?part=${part}`, { signal }),
        parse: (schemas, activities) => schemas.activitySummaries.parse(activities),
        readWhole: () => readWhole(list, signal),
      });
    },

    /** What `getActivities` reads, for the page of a long list: no call keeps server or browser long. Admin only. */
    async getActivitiesInParts(list: ListName, signal?: AbortSignal): Promise<ReadList> {
      return readInParts<Activity>(list, {
        read: (part) => send(`${paths.documents.activityItems(list)}?part=${part}`, { signal }),
        parse: (schemas, activities) => schemas.activities.parse(activities),
        readWhole: () => readWhole(list, signal),
      });
    },

    /** One activity; `undefined` when there is none. `axis` may be the one it had when its address was copied. */
    async findActivity(
      { axis, id }: Pick<Activity, 'axis' | 'id'>,
      signal?: AbortSignal,
    ): Promise<Activity | undefined> {
      try {
        const { body, schemas } = await answer(
          send(paths.documents.activityItem(listOf(axis), id), { signal }),
        );
        return schemas.activity.parse(body);
      } catch (error) {
        if (error instanceof ClientError && error.code === 'documents/not-found') return undefined;
        throw error;
      }
    },

    /**
     * Writes a whole list: for another order, or to import.
     * @throws ClientError `documents/precondition-failed` when the list changed since `tag` was read
     */
    async replaceActivities(list: ListName, next: Activity[], tag: string): Promise<ReadList> {
      const sent = send(paths.documents.activities(list), {
        method: 'PUT',
        body: { [list]: next },
        headers: { 'if-match': tag },
      });
      return readList(list, sent);
    },

    /** Appends an activity to the list of its axis. */
    async createActivity(input: ActivityInput): Promise<Activity> {
      const path = paths.documents.activityItems(listOf(input.axis));
      const { body, schemas } = await answer(send(path, { method: 'POST', body: input }));
      return schemas.activity.parse(body);
    },

    /**
     * Saves an edit of `base`. A new axis moves the activity to that axis's list.
     * @throws ClientError `documents/precondition-failed`, with the newer activity as `current`, when
     *   somebody saved since `base` was read
     */
    async updateActivity(base: Activity, input: ActivityInput): Promise<Activity> {
      const { activityTag } = await loadSchemas();
      const sent = send(paths.documents.activityItem(listOf(base.axis), base.id), {
        method: 'PUT',
        body: input,
        headers: { 'if-match': activityTag(base) },
      });
      const { body, schemas } = await answer(sent);
      return schemas.activity.parse(body);
    },

    async deleteActivity(target: Pick<Activity, 'axis' | 'id'>): Promise<void> {
      await send(paths.documents.activityItem(listOf(target.axis), target.id), { method: 'DELETE' });
    },

    /**
     * Takes a deletion back: the activity returns to its old place, with its id and times.
     * @throws ClientError `documents/not-found` when it was deleted too long ago
     */
    async restoreActivity(target: Pick<Activity, 'axis' | 'id'>): Promise<Activity> {
      const path = paths.documents.activityRestore(listOf(target.axis), target.id);
      const { body, schemas } = await answer(send(path, { method: 'POST' }));
      return schemas.activity.parse(body);
    },

    /** Everything kept about the person who is signed in. */
    async exportAccount(signal?: AbortSignal): Promise<AccountExport> {
      const { body, schemas } = await answer(send(paths.documents.accountExport, { signal }));
      return schemas.accountExport.parse(body);
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

    /** The activities of all lists that were changed last, newest first. Admin only. */
    async getLatestActivities(signal?: AbortSignal): Promise<LatestActivity[]> {
      const { body, schemas } = await answer(send(paths.documents.latestActivities, { signal }));
      return schemas.latestActivities.parse(body).documents;
    },

    /** How many users and activities there are. Admin only. */
    async getCounts(signal?: AbortSignal): Promise<Counts> {
      const { body, schemas } = await answer(send(paths.documents.counts, { signal }));
      return schemas.counts.parse(body);
    },
  };
}

/** The body of an answer, with the schemas to read it. */
async function answer(sent: Promise<Response>) {
  const response = await sent;
  const [body, schemas] = await Promise.all([response.json() as Promise<unknown>, loadSchemas()]);
  return { body, schemas, tag: response.headers.get('etag') ?? '' };
}

/** So often a list is read in parts; whoever changes it all the time does not keep a reader waiting for ever. */
const readingsInParts = 3;
/** One is on its way while another one is made; more would only wait for each other. */
const partsAtOnce = 2;

/** Reads a list part by part, and again from the first when it changed in between. */
async function readInParts<Item>(
  list: ListName,
  {
    read,
    parse,
    readWhole,
  }: {
    read: (part: number) => Promise<Response>;
    parse: (schemas: Schemas, activities: unknown) => Item[];
    readWhole: () => Promise<{ activities: Item[]; tag: string }>;
  },
): Promise<{ activities: Item[]; tag: string }> {
  async function readPart(part: number) {
    const { body, schemas, tag } = await answer(read(part));
    const { [list]: activities, parts } = body as Record<string, unknown>;
    return { activities: parse(schemas, activities), count: schemas.listParts.parse(parts), tag };
  }
  for (let reading = 0; reading < readingsInParts; reading += 1) {
    const first = await readPart(0);
    const { tag, count } = first;
    const parts = [first];
    let next = 1;
    const readOn = async () => {
      while (next < count && parts.every((part) => part.tag === tag)) {
        const number = next;
        next += 1;
        parts[number] = await readPart(number);
      }
    };
    await Promise.all(Array.from({ length: partsAtOnce }, readOn));
    if (parts.every((part) => part.tag === tag))
      return { activities: parts.flatMap(({ activities }) => activities), tag };
  }
  return readWhole();
}

async function readList(list: ListName, sent: Promise<Response>): Promise<ReadList> {
  const { body, schemas, tag } = await answer(sent);
  return { activities: schemas.activities.parse((body as Record<string, unknown>)[list]), tag };
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
