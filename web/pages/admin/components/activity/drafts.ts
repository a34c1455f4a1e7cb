import * as z from 'zod/mini';
import { type Activity, activity } from '#contract/activity.ts';
import { listDrafts, removeDraft } from '../drafts/device-drafts.ts';
import { type ActivityValues, forEachField } from './activity-values.ts';

/**
 * Drafts that an earlier release has stored lack newer fields. These fields get default values, so that the
 * draft stays readable.
 */
const text = z.catch(z.string(), '');
const values = z.pipe(
  z.object(forEachField(() => text)),
  z.transform((kept) => ({ ...kept, visibility: kept.visibility || 'public' })),
);
/**
 * Accepts string values that the contract no longer allows, so that the draft is not removed as unreadable.
 */
const base = z.object({
  ...activity.shape,
  ...{ title: text, url: text, content: text, image: text, audio: text },
});

const draft = z.object({
  values,
  /** The saved version that the draft is based on; absent for a new activity. */
  base: z.optional(base),
});
export type KeptDraft = {
  key: string;
  values: ActivityValues;
  base?: Activity | undefined;
  /** The time of the last change, in epoch milliseconds. */
  at: number;
};

/**
 * Finds the draft with the key `wanted`. If `wanted` ends with a dot, finds all drafts whose keys start with
 * it, newest first. Removes unreadable drafts.
 */
export function findDrafts(wanted: string, now = Date.now()): KeptDraft[] {
  const fits = (key: string) => key === wanted || (wanted.endsWith('.') && key.startsWith(wanted));
  return listDrafts(fits, now).flatMap(({ key, at, ...stored }) => {
    const found = z.safeParse(draft, stored);
    if (found.success) return [{ ...found.data, key, at }];
    removeDraft(key);
    return [];
  });
}
