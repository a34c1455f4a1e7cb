import * as z from 'zod/mini';
import { type Activity, activity } from '#contract/activity.ts';
import { draftPrefix, forgottenSince } from '#web/app/device-memory.ts';
import { type ActivityValues, forEachField, valuesOf } from './activity-values.ts';

/** A draft that was stored before a field existed gets an empty value for it, so that the rest is kept. */
const values = forEachField(() => z.catch(z.string(), ''));

const draft = z.object({
  /** The values of the fields. */
  values: z.object(values),
  /** The edited version; absent for a new activity. */
  base: z.optional(z.object({ ...activity.shape, ...values, axis: activity.shape.axis })),
  /** The time of the last change, in epoch milliseconds. */
  at: z.number(),
});
export type Draft = { values: ActivityValues; base?: Activity | undefined; at: number };
export type KeptDraft = Draft & { key: string };

const keptForMs = 7 * 24 * 60 * 60_000;

/**
 * The key of a draft. This device keeps drafts by account and activity. A form shows only the drafts of the
 * signed-in user, and ignores those older than a week. Signing out removes the user's drafts.
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
    // The storage is full or blocked. The form still asks before the user leaves it.
    return false;
  }
}

export function removeDraft(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // The browser blocks storage, so no draft is stored.
  }
}

/**
 * Finds the draft with the key `wanted`. If `wanted` ends with a dot, finds all drafts whose keys start with
 * it, newest first. Removes the outdated drafts of all accounts.
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
      return found.success ? { ...found.data, key } : { values: valuesOf({}), at: 0, key };
    });
  } catch {
    return [];
  }
}

function readJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
