import type { Activity } from '../activity.ts';

/**
 * The length of a practice in seconds; undefined if unknown. A length from an admin overrides the audio's.
 */
export function secondsOf({ minutes, audioSeconds }: Pick<Activity, 'minutes' | 'audioSeconds'>) {
  return minutes === null ? audioSeconds || undefined : minutes * 60;
}

/** The minutes that a card shows: 3 for an audio of 3 min 10 s, and at least 1. */
export const roundedMinutes = (seconds: number) => Math.max(1, Math.round(seconds / 60));
