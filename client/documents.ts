import { type AccountExport, accountExport } from '#contract/account.ts';
import { type Counts, counts } from '#contract/activity.ts';
import { errorMessages } from '#contract/errors.ts';
import { type PublicIssue, publicIssue } from '#contract/newsletter.ts';
import { type Operation, operation } from '#contract/operation.ts';
import { paths, preferNoContent } from '#contract/paths.ts';
import { type Favourites, favourites } from '#contract/practices/favourites.ts';
import { type PracticeEvent, type PracticeTotals, practiceTotals } from '#contract/practices/totals.ts';
import {
  type AdminUserPatch,
  type ListedUser,
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
import { readJson, type Send, tagOf } from './http.ts';
import { createLibraryClient } from './library.ts';

export type DocumentsClient = ReturnType<typeof createDocumentsClient>;

export function createDocumentsClient(send: Send, appCheck: AppCheckHeaders) {
  return {
    /** Reads a user record. If the record is missing, logs a message and returns `false`. */
    async getUser(uid: string, signal?: AbortSignal): Promise<UserRecord | false> {
      return orFalse(async () => {
        return userRecord.parse(await readJson(send(paths.documents.user(uid), { signal })));
      });
    },

    async updateUser(uid: string, patch: OwnUserPatch | AdminUserPatch): Promise<UserRecord> {
      return userRecord.parse(
        await readJson(send(paths.documents.user(uid), { method: 'PATCH', body: patch })),
      );
    },

    /**
     * Changes the record of a user whom `listUsers` has returned. Admin only.
     * @param seen the record as the admin saw it
     * @throws ClientError `documents/precondition-failed` if the record has changed since `seen` was read;
     * `current` is the current record
     */
    async updateListedUser(seen: ListedUser, patch: AdminUserPatch): Promise<ListedUser> {
      const response = await send(paths.documents.user(seen.id), {
        method: 'PATCH',
        body: patch,
        headers: { 'if-match': seen.tag },
      });
      const { createdAt, lastSeenOn } = seen;
      const emailVerified = seen.emailVerified || patch.emailVerified === true;
      const canBeVerified = seen.canBeVerified && !emailVerified;
      const record = userRecord.parse(await response.json());
      return { ...record, createdAt, lastSeenOn, emailVerified, canBeVerified, tag: tagOf(response) };
    },

    /**
     * Reads the current record of a user whom `listUsers` has returned. Copies the fields that the
     * record lacks from `seen`. Admin only.
     */
    async refreshListedUser(seen: ListedUser): Promise<ListedUser> {
      const response = await send(paths.documents.user(seen.id));
      const { createdAt, lastSeenOn, emailVerified, canBeVerified } = seen;
      const record = userRecord.parse(await response.json());
      return { ...record, createdAt, lastSeenOn, emailVerified, canBeVerified, tag: tagOf(response) };
    },

    /** Reads one page of users. Admin only. */
    async listUsers(query: UsersQuery = {}, signal?: AbortSignal): Promise<UsersPage> {
      const search = new URLSearchParams();
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) search.set(name, String(value));
      return usersPage.parse(await readJson(send(`${paths.documents.users}?${search}`, { signal })));
    },

    /** Reads the mood record. If the record is missing, logs a message and returns `false`. */
    async getWordMood(uid: string, signal?: AbortSignal): Promise<MoodRecord | false> {
      const headers = { prefer: preferNoContent };
      const response = await send(paths.documents.wordMood(uid), { signal, headers });
      if (response.status !== 204) return moodRecord.parse(await response.json());
      console.info(errorMessages['documents/not-found']);
      return false;
    },

    ...createLibraryClient(send),
    async getFavourites(signal?: AbortSignal): Promise<Favourites> {
      return favourites.parse(await readJson(send(paths.documents.favourites, { signal })));
    },

    /**
     * Adds a practice to the favourites.
     * @param keptAt when the user added the practice, in epoch milliseconds; by default now. To undo a
     * removal, pass the time at which the user first added the practice.
     * @throws ClientError `documents/not-found` when the practice is not public;
     * `documents/too-many-favourites`
     */
    async keepFavourite(id: string, keptAt?: number): Promise<void> {
      await send(paths.documents.favourite(id), { method: 'PUT', body: { keptAt } });
    },

    async removeFavourite(id: string): Promise<void> {
      await send(paths.documents.favourite(id), { method: 'DELETE' });
    },

    /** Reads the personal data of the signed-in user. */
    async exportAccount(signal?: AbortSignal): Promise<AccountExport> {
      return accountExport.parse(await readJson(send(paths.documents.accountExport, { signal })));
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

    /** Reads an issue of the newsletter that was sent. @throws ClientError `documents/not-found` */
    async getPublicIssue(id: string, signal?: AbortSignal): Promise<PublicIssue> {
      return publicIssue.parse(await readJson(send(paths.documents.publicIssue(id), { signal })));
    },

    /** Ends the subscription with the token of a mailed link, and deletes the email address. */
    async leaveNewsletter(token: string): Promise<void> {
      await send(paths.documents.newsletterLeave, { method: 'POST', body: { token } });
    },

    /** Counts activities and, for admins, users. For editors and admins. */
    async getCounts(signal?: AbortSignal): Promise<Counts> {
      return counts.parse(await readJson(send(paths.documents.counts, { signal })));
    },

    /** Reads the state of the backups and of the disk. Admin only. */
    async getOperation(signal?: AbortSignal): Promise<Operation> {
      return operation.parse(await readJson(send(paths.documents.operation, { signal })));
    },

    /**
     * Counts one use of a practice. The request has no cookie, so the server cannot know whose use it is. The
     * request continues when the visitor leaves the page.
     */
    async countUse(use: PracticeEvent): Promise<void> {
      const sent = { credentials: 'omit', keepalive: true } as const;
      await send(paths.documents.practiceEvents, { method: 'POST', body: use, ...sent });
    },

    /**
     * Reads how often visitors used the practices. For editors and admins.
     * @param month for example `2026-11`; by default, the current month
     */
    async getPracticeTotals(month?: string, signal?: AbortSignal): Promise<PracticeTotals> {
      const query = month === undefined ? '' : `?month=${month}`;
      const sent = send(paths.documents.practiceTotals + query, { signal });
      return practiceTotals.parse(await readJson(sent));
    },
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
