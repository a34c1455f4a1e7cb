import * as z from 'zod/mini';
import { type Activity, activity } from '#contract/activity.ts';
import { draftPrefix, forgottenSince } from './device-memory.ts';

const text = z.string();
const values = z.object({ title: text, url: text, content: text, axis: text, image: text, audio: text });

const draft = z.object({
  /** What the fields hold. */
  values,
  /** The version that was being edited; none for a new activity. */
  base: z.optional(activity),
  /** When it was last changed, in epoch milliseconds. */
  at: z.number(),
});
export type Draft = { values: z.infer<typeof values>; base?: Activity | undefined; at: number };
export type KeptDraft = Draft & { key: string };

const keptForMs = 7 * 24 * 60 * 60_000;

/**
 * Drafts of activities, kept on this device until they are saved: by account and by activity, a week at most.
 * Nobody else is shown them, and signing out removes them.
 * @param scope the id of the activity, or `new.` and something that tells several new ones apart
 */
export const draftKey = (uid: string, scope: string) => `${draftPrefix}${uid}:${scope}`;

/** Keeps a draft, unless somebody has signed out since `openedAt`. @returns whether it is kept */
export function keepDraft(key: string, kept: Draft, openedAt: number): boolean {
  try {
    if (forgottenSince(openedAt)) return false;
    localStorage.setItem(key, JSON.stringify(kept));
    return true;
  } catch {
    // No room, or a browser that keeps nothing: the form itself still asks before it is left.
    return false;
  }
}

export function removeDraft(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept there either.
  }
}

/**
 * The draft of a key, or of all keys that begin like one that ends with a dot, newest first. Those that are too
 * old, whosever they are, are removed.
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
      // What cannot be read is treated like what is too old.
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
