import * as z from 'zod/mini';
import { type Activity, activity } from '#contract/activity.ts';
import { draftPrefix, forgottenSince } from './device-memory.ts';

const text = z.string();
const values = z.object({ title: text, url: text, content: text, axis: text, image: text, audio: text });

const draft = z.object({
  /** The values of the fields. */
  values,
  /** The edited version; absent for a new activity. */
  base: z.optional(activity),
  /** The time of the last change, in epoch milliseconds. */
  at: z.number(),
});
export type Draft = { values: z.infer<typeof values>; base?: Activity | undefined; at: number };
export type KeptDraft = Draft & { key: string };

const keptForMs = 7 * 24 * 60 * 60_000;

/**
 * The key of a draft. This device keeps the drafts of an account by activity, for a week at most.
 * The page shows drafts only to their account, and signing out removes them.
 * @param scope the id of the activity, or `new.` and a suffix that distinguishes several new activities
 */
export const draftKey = (uid: string, scope: string) => `${draftPrefix}${uid}:${scope}`;

/** Stores a draft, unless a user has signed out since `openedAt`. @returns whether it is stored */
export function keepDraft(key: string, kept: Draft, openedAt: number): boolean {
  try {
    if (forgottenSince(openedAt)) return false;
    localStorage.setItem(key, JSON.stringify(kept));
    return true;
  } catch {
    // The storage is full or refused. The form still asks before the user leaves it.
    return false;
  }
}

export function removeDraft(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // The browser refuses its storage, so it holds no draft.
  }
}

/**
 * Finds the draft of a key, or of all keys with this prefix if it ends with a dot, newest first. Removes the
 * outdated drafts of all accounts.
 */
export function findDrafts(wanted: string, now = Date.now()): KeptDraft[] {
  return allDrafts()
    .filter(({ key, at }) => {
      if (at > now - keptForMs) return key === wanted || (wanted.endsWith('.') && key.startsWith(wanted));
      removeDraft(key);
      return false;
    })
    .toSorted((one, other) => other.at - one.at);
}

function allDrafts(): KeptDraft[] {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(draftPrefix));
    return keys.map((key) => {
      const found = z.safeParse(draft, readJson(localStorage.getItem(key) ?? ''));
      // Treat an unreadable draft like an outdated one.
      return found.success ? { ...found.data, key } : { values: nothing, at: 0, key };
    });
  } catch {
    return [];
  }
}

const nothing = { title: '', url: '', content: '', axis: '', image: '', audio: '' };

function readJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
