import type { AccountExport } from '#contract/account.ts';
import type { Activity, ActivityInput, Counts, LatestActivity, ListedActivity } from '#contract/activity.ts';
import { type ListName, listOf } from '#contract/axes.ts';
import { paths, preferNoContent } from '#contract/paths.ts';
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

/** A list from the server. A write of the whole list sends `tag` in `If-Match`. */
export type ReadList = { activities: Activity[]; tag: string };

/** A list without the texts of its activities. */
export type ReadSummaries = { activities: ListedActivity[]; tag: string };

export function createDocumentsClient(send: Send, appCheck: AppCheckHeaders) {
  const readWhole = (list: ListName, signal: AbortSignal | undefined) =>
    readList(list, send(paths.documents.activities(list), { signal }));

  return {
    /** Reads a user record. When it is missing, logs that and returns `false`. */
    async getUser(uid: string, signal?: AbortSignal): Promise<UserRecord | false> {
      return orFalse(async () => {
        const { body, schemas } = await readResponse(send(paths.documents.user(uid), { signal }));
        return schemas.userRecord.parse(body);
      });
    },

    async updateUser(uid: string, patch: OwnUserPatch | AdminUserPatch): Promise<UserRecord> {
      const { body, schemas } = await readResponse(
        send(paths.documents.user(uid), { method: 'PATCH', body: patch }),
      );
      return schemas.userRecord.parse(body);
    },

    /**
     * Changes the record of a user in a list, if it is still the record in `seen`. Admin only.
     * @throws ClientError `documents/precondition-failed`, with the record as `current`, when it has changed
     */
    async updateListedUser(seen: ListedUser, patch: AdminUserPatch): Promise<ListedUser> {
      const sent = send(paths.documents.user(seen.id), {
        method: 'PATCH',
        body: patch,
        headers: { 'if-match': seen.tag },
      });
      const { body, schemas, tag } = await readResponse(sent);
      return {
        ...schemas.userRecord.parse(body),
        createdAt: seen.createdAt,
        emailVerified: seen.emailVerified,
        tag,
      };
    },

    /** Reads the current record of a user in a list. Admin only. */
    async refreshListedUser(seen: ListedUser): Promise<ListedUser> {
      const { body, schemas, tag } = await readResponse(send(paths.documents.user(seen.id)));
      return {
        ...schemas.userRecord.parse(body),
        createdAt: seen.createdAt,
        emailVerified: seen.emailVerified,
        tag,
      };
    },

    /** Reads one page of users. Admin only. */
    async listUsers(query: UsersQuery = {}, signal?: AbortSignal): Promise<UsersPage> {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) search.set(name, String(value));
      const { body, schemas } = await readResponse(send(`${paths.documents.users}?${search}`, { signal }));
      return schemas.usersPage.parse(body);
    },

    /** Reads the mood record. When it is missing, logs that and returns `false`. */
    async getWordMood(uid: string, signal?: AbortSignal): Promise<MoodRecord | false> {
      const headers = { prefer: preferNoContent };
      const response = await send(paths.documents.wordMood(uid), { signal, headers });
      const { errorMessages, moodRecord } = await loadSchemas();
      if (response.status !== 204) return moodRecord.parse(await response.json());
      console.info(errorMessages['documents/not-found']);
      return false;
    },

    async getActivities(list: ListName, signal?: AbortSignal): Promise<ReadList> {
      return readWhole(list, signal);
    },

    /** Reads a list without the texts of its activities, for the first view of its page. Admin only. */
    async getActivitySummaries(list: ListName, signal?: AbortSignal): Promise<ReadSummaries> {
      return readInParts<ListedActivity>(list, {
        read: (part) => send(`${paths.documents.activitySummaries(list)}?part=${part}`, { signal }),
        parse: (schemas, activities) => schemas.activitySummaries.parse(activities),
        readWhole: () => readWhole(list, signal),
      });
    },

    /**
     * Like `getActivities`, but reads the list in several requests, so that a long list does not block the
     * server or the browser. Admin only.
     */
    async getActivitiesInParts(list: ListName, signal?: AbortSignal): Promise<ReadList> {
      return readInParts<Activity>(list, {
        read: (part) => send(`${paths.documents.activityItems(list)}?part=${part}`, { signal }),
        parse: (schemas, activities) => schemas.activities.parse(activities),
        readWhole: () => readWhole(list, signal),
      });
    },

    /**
     * Reads one activity; `undefined` when there is none. It finds the activity even if `axis` is outdated.
     */
    async findActivity(
      { axis, id }: Pick<Activity, 'axis' | 'id'>,
      signal?: AbortSignal,
    ): Promise<Activity | undefined> {
      try {
        const { body, schemas } = await readResponse(
          send(paths.documents.activityItem(listOf(axis), id), { signal }),
        );
        return schemas.activity.parse(body);
      } catch (error) {
        if (error instanceof ClientError && error.code === 'documents/not-found') return undefined;
        throw error;
      }
    },

    /**
     * Writes a whole list, to change its order or to import activities.
     * @throws ClientError `documents/precondition-failed` when the list has changed since `tag` was read
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
      const { body, schemas } = await readResponse(send(path, { method: 'POST', body: input }));
      return schemas.activity.parse(body);
    },

    /**
     * Saves an edit of `base`. A new axis moves the activity to the list of that axis.
     * @throws ClientError `documents/precondition-failed`, with the newer activity as `current`, when it has
     * changed since `base` was read
     */
    async updateActivity(base: Activity, input: ActivityInput): Promise<Activity> {
      const { activityTag } = await loadSchemas();
      const sent = send(paths.documents.activityItem(listOf(base.axis), base.id), {
        method: 'PUT',
        body: input,
        headers: { 'if-match': activityTag(base) },
      });
      const { body, schemas } = await readResponse(sent);
      return schemas.activity.parse(body);
    },

    async deleteActivity(target: Pick<Activity, 'axis' | 'id'>): Promise<void> {
      await send(paths.documents.activityItem(listOf(target.axis), target.id), { method: 'DELETE' });
    },

    /**
     * Restores a deleted activity to its old position, with its id and times.
     * @throws ClientError `documents/not-found` when it was deleted too long ago
     */
    async restoreActivity(target: Pick<Activity, 'axis' | 'id'>): Promise<Activity> {
      const path = paths.documents.activityRestore(listOf(target.axis), target.id);
      const { body, schemas } = await readResponse(send(path, { method: 'POST' }));
      return schemas.activity.parse(body);
    },

    /** Reads the personal data of the signed-in user. */
    async exportAccount(signal?: AbortSignal): Promise<AccountExport> {
      const { body, schemas } = await readResponse(send(paths.documents.accountExport, { signal }));
      return schemas.accountExport.parse(body);
    },

    /**
     * Subscribes to the newsletter. The server mails a link to confirm; its response is the same for every
     * email address.
     */
    async subscribeToNewsletter(email: string): Promise<void> {
      const body = { email, consent: true };
      await send(paths.documents.newsletter, { method: 'POST', body, headers: await appCheck() });
    },

    /** Confirms the subscription with the token of a mailed link. */
    async confirmNewsletter(token: string): Promise<void> {
      await send(paths.documents.newsletterConfirm, { method: 'POST', body: { token } });
    },

    /** Ends the subscription with the token of a mailed link, and deletes the email address. */
    async leaveNewsletter(token: string): Promise<void> {
      await send(paths.documents.newsletterLeave, { method: 'POST', body: { token } });
    },

    /** Reads the activities of all lists that changed last, newest first. Admin only. */
    async getLatestActivities(signal?: AbortSignal): Promise<LatestActivity[]> {
      const { body, schemas } = await readResponse(send(paths.documents.latestActivities, { signal }));
      return schemas.latestActivities.parse(body).documents;
    },

    /** Counts users and activities. Admin only. */
    async getCounts(signal?: AbortSignal): Promise<Counts> {
      const { body, schemas } = await readResponse(send(paths.documents.counts, { signal }));
      return schemas.counts.parse(body);
    },
  };
}

/** Reads the body of a response, and loads the schemas to parse it. */
async function readResponse(sent: Promise<Response>) {
  const response = await sent;
  const [body, schemas] = await Promise.all([response.json() as Promise<unknown>, loadSchemas()]);
  return { body, schemas, tag: response.headers.get('etag') ?? '' };
}

/** After the list has changed during this many readings in parts, the client reads the whole list. */
const readingsInParts = 3;
/** The server prepares one part while it sends another; more requests would only wait in its queue. */
const partsAtOnce = 2;

/** Reads a list part by part, and starts again when the list changes in between. */
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
    const { body, schemas, tag } = await readResponse(read(part));
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
  const { body, schemas, tag } = await readResponse(sent);
  return { activities: schemas.activities.parse((body as Record<string, unknown>)[list]), tag };
}

/** Logs a missing document and returns `false`, as the specification requires. */
async function orFalse<T>(read: () => Promise<T>): Promise<T | false> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ClientError && error.code === 'documents/not-found')) throw error;
    console.info(error.message);
    return false;
  }
}
