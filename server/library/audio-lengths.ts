import PQueue from 'p-queue';
import type { Activity } from '#contract/activity.ts';
import { type ListName, listOf } from '#contract/axes.ts';
import { storedFileIn } from '#contract/file-url.ts';
import { withTimeout } from '../concurrency.ts';
import type { Database } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import type { Log } from '../http/log.ts';
import { reasonOf } from '../http/log.ts';
import { activityColumns } from './activities.ts';
import { bumpVersions } from './list-versions.ts';

/** Reads the length of a stored audio file in seconds; undefined if the file does not contain its length. */
export type ReadAudioSeconds = (file: { path: string; token: string }) => Promise<number | undefined>;

/** A save waits at most this long for the audio's length. If that fails, `fillAudioLengths` tries again. */
const saveTimeoutMs = 3_000;
/** Stored for a file that does not contain its length. */
const unknownLength = 0;

/** Returns the activity with the length of its audio. Reads and stores the length if it is missing. */
export async function withAudioLength(
  database: Database,
  readSeconds: ReadAudioSeconds,
  saved: Activity,
): Promise<Activity> {
  if (saved.audioSeconds !== null || !storedFileIn(saved.audio)) return saved;
  const filled = await withTimeout(saveTimeoutMs, fill(database, readSeconds, saved)).catch(() => undefined);
  return filled ?? saved;
}

/** Reads and stores all missing lengths, for example of activities that were imported. */
export async function fillAudioLengths(database: Database, readSeconds: ReadAudioSeconds): Promise<void> {
  const missing = await database
    .selectFrom('activities')
    .select(['id', 'axis', 'audio'])
    .where('audioSeconds', 'is', null)
    .where('audio', 'like', '/files/%')
    .execute();
  for (const activity of missing) await fill(database, readSeconds, activity);
}

/**
 * Runs `fillAudioLengths` in the background. All calls of `start` during a run cause one further run. `idle`
 * waits until no run is left.
 */
export function createAudioFilling(database: Database, readSeconds: ReadAudioSeconds, log: Log) {
  const runs = new PQueue({ concurrency: 1 });
  const run = () =>
    fillAudioLengths(database, readSeconds).catch((error: unknown) =>
      log.error({ reason: reasonOf(error) }, 'audio lengths could not be read'),
    );
  return {
    start() {
      if (runs.size === 0) void runs.add(run);
    },
    idle: () => runs.onIdle(),
  };
}

/**
 * @returns the activity as it is now; undefined if the audio file is missing, or if the activity has another
 * audio by now or is deleted
 */
async function fill(
  database: Database,
  readSeconds: ReadAudioSeconds,
  { id, axis, audio }: Pick<Activity, 'id' | 'axis' | 'audio'>,
): Promise<Activity | undefined> {
  const file = storedFileIn(audio);
  if (!file) return undefined;
  let seconds: number | undefined;
  try {
    seconds = await readSeconds(file);
  } catch (error) {
    if (error instanceof AppError && error.code === 'storage/object-not-found') return undefined;
    throw error;
  }
  return store(database, { id, list: listOf(axis), audio, seconds: Math.round(seconds ?? unknownLength) });
}

async function store(
  database: Database,
  { id, list, audio, seconds }: { id: string; list: ListName; audio: string; seconds: number },
): Promise<Activity | undefined> {
  return database.transaction().execute(async (transaction) => {
    await bumpVersions(transaction, [list]);
    return transaction
      .updateTable('activities')
      .set({ audioSeconds: seconds })
      .where('id', '=', id)
      .where('audio', '=', audio)
      .returning(activityColumns)
      .executeTakeFirst();
  });
}
