import type { AccountExport } from '#contract/account.ts';
import type { Counts } from '#contract/activity.ts';
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
import { createFavourites } from './favourites.ts';
import type { Send } from './http.ts';
import { createLibraryClient } from './library.ts';
import { createPracticeTotals } from './practice-totals.ts';
import { readResponse } from './read-response.ts';
import { loadSchemas } from './schemas.ts';

export type DocumentsClient = ReturnType<typeof createDocumentsClient>;

export function createDocumentsClient(send: Send, appCheck: AppCheckHeaders) {
  return {
    /** Reads a user record. If the record is missing, logs a message and returns `false`. */
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
     * Changes the record of a user whom `listUsers` has returned. Admin only.
     * @param seen the record as the admin saw it
     * @throws ClientError `documents/precondition-failed` if the record has changed since `seen` was read;
     * `current` is the current record
     */
    async updateListedUser(seen: ListedUser, patch: AdminUserPatch): Promise<ListedUser> {
      const sent = send(paths.documents.user(seen.id), {
        method: 'PATCH',
        body: patch,
        headers: { 'if-match': seen.tag },
      });
      const { body, schemas, tag } = await readResponse(sent);
      const { createdAt } = seen;
      const emailVerified = seen.emailVerified || patch.emailVerified === true;
      const canBeVerified = seen.canBeVerified && !emailVerified;
      return { ...schemas.userRecord.parse(body), createdAt, emailVerified, canBeVerified, tag };
    },

    /**
     * Reads the current record of a user whom `listUsers` has returned. Copies the fields that the
     * record lacks from `seen`. Admin only.
     */
    async refreshListedUser(seen: ListedUser): Promise<ListedUser> {
      const { body, schemas, tag } = await readResponse(send(paths.documents.user(seen.id)));
      const { createdAt, emailVerified, canBeVerified } = seen;
      return { ...schemas.userRecord.parse(body), createdAt, emailVerified, canBeVerified, tag };
    },

    /** Reads one page of users. Admin only. */
    async listUsers(query: UsersQuery = {}, signal?: AbortSignal): Promise<UsersPage> {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) search.set(name, String(value));
      const { body, schemas } = await readResponse(send(`${paths.documents.users}?${search}`, { signal }));
      return schemas.usersPage.parse(body);
    },

    /** Reads the mood record. If the record is missing, logs a message and returns `false`. */
    async getWordMood(uid: string, signal?: AbortSignal): Promise<MoodRecord | false> {
      const headers = { prefer: preferNoContent };
      const response = await send(paths.documents.wordMood(uid), { signal, headers });
      const { errorMessages, moodRecord } = await loadSchemas();
      if (response.status !== 204) return moodRecord.parse(await response.json());
      console.info(errorMessages['documents/not-found']);
      return false;
    },

    ...createLibraryClient(send),
    ...createFavourites(send),

    /** Reads the personal data of the signed-in user. */
    async exportAccount(signal?: AbortSignal): Promise<AccountExport> {
      const { body, schemas } = await readResponse(send(paths.documents.accountExport, { signal }));
      return schemas.accountExport.parse(body);
    },

    /**
     * Subscribes to the newsletter. The server mails a link that confirms the subscription. Its response is
     * the same for every email address.
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

    /** Counts users and activities. Admin only. */
    async getCounts(signal?: AbortSignal): Promise<Counts> {
      const { body, schemas } = await readResponse(send(paths.documents.counts, { signal }));
      return schemas.counts.parse(body);
    },

    ...createPracticeTotals(send),
  };
}

/** If the record is missing, logs a message and returns `false`, as the specification requires. */
async function orFalse<T>(read: () => Promise<T>): Promise<T | false> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ClientError && error.code === 'documents/not-found')) throw error;
    console.info(error.message);
    return false;
  }
}
