import * as z from 'zod/mini';
import { draftPrefix, forgottenSince } from '#web/app/device-memory.ts';

const stored = z.object({
  /** What the user has typed. */
  values: z.unknown(),
  /** The saved version that the values are based on, if there is one. */
  base: z.optional(z.unknown()),
  /** The time of the last change, in epoch milliseconds. */
  at: z.number(),
});
export type DeviceDraft = z.infer<typeof stored>;

const keptForMs = 7 * 24 * 60 * 60_000;

/**
 * The key of a draft on this device. It names the account and the edited item. A form shows only drafts of
 * the signed-in user that are at most a week old. Signing out removes the user's drafts.
 * @param scope an activity's id; `new.` plus a suffix that distinguishes several new activities; `import`; or
 * `site.` plus the name of a section
 */
export const draftKey = (uid: string, scope: string) => `${draftPrefix}${uid}:${scope}`;

/** Stores a draft, unless a user has signed out since `openedAt`. @returns whether it is stored */
export function keepDraft(key: string, draft: DeviceDraft, openedAt: number): boolean {
  try {
    if (forgottenSince(openedAt)) return false;
    localStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    // The storage is full or blocked. The form still asks before the user leaves it.
    return false;
  }
}

export function removeDraft(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // The browser blocks storage, so there is no draft to remove.
  }
}

/**
 * Lists the drafts whose keys satisfy `fits`, newest first. Also removes outdated and unreadable drafts,
 * including those of other accounts.
 */
export function listDrafts(
  fits: (key: string) => boolean,
  now = Date.now(),
): (DeviceDraft & { key: string })[] {
  return storedKeys()
    .flatMap((key) => {
      const draft = z.safeParse(stored, readJson(key)).data;
      if (draft && draft.at > now - keptForMs) return [{ ...draft, key }];
      removeDraft(key);
      return [];
    })
    .filter(({ key }) => fits(key))
    .sort((one, other) => other.at - one.at);
}

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(draftPrefix));
  } catch {
    return [];
  }
}

function readJson(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '');
  } catch {
    return undefined;
  }
}
