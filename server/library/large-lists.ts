import { Readable } from 'node:stream';
import { sql } from 'kysely';
import type { ListName } from '#contract/axes.ts';
import type { Database } from '../database/connect.ts';
import { AppError } from '../http/errors.ts';
import { activityColumns } from './activities.ts';
import { getListVersion } from './list-versions.ts';

/** Lists with more bytes of text are not kept in memory. Ten thousand activities of 1.5 kB have fewer. */
const mostTextBytes = 16_000_000;
/** The number of activities in one slice. A slice of the longest ones takes a few milliseconds. */
const sliceSize = 5;
/** The maximum number of responses that send a large list at the same time. Each holds one slice. */
const mostStreams = 4;

/**
 * Sends lists that would fill the memory as one response. The specification requires whole lists with all
 * texts, so the server reads such a list in slices while it sends them. A limit on the size of a list would
 * refuse libraries that exist already.
 */
export function createLargeLists(database: Database) {
  const sizes = new Map<ListName, { version: number; isLarge: Promise<boolean> }>();
  let streams = 0;

  async function readIsLarge(list: ListName): Promise<boolean> {
    const { bytes } = await database
      .selectFrom('activities')
      .select((row) => sql<number | null>`sum(octet_length(${row.ref('content')}))`.as('bytes'))
      .where('list', '=', list)
      .where('visibility', '=', 'public')
      .executeTakeFirstOrThrow();
    return Number(bytes) > mostTextBytes;
  }

  async function* slicesOf(list: ListName, version: number): AsyncGenerator<string> {
    let [separator, after] = [`{${JSON.stringify(list)}:[`, Number.NEGATIVE_INFINITY];
    for (;;) {
      const rows = await database
        .selectFrom('activities')
        .select([...activityColumns, 'position'])
        .where('list', '=', list)
        .where('visibility', '=', 'public')
        .$if(after > Number.NEGATIVE_INFINITY, (query) => query.where('position', '>', after))
        .orderBy('position')
        .limit(sliceSize)
        .execute();
      after = rows.at(-1)?.position ?? after;
      const activities = rows.map(({ position: _, ...activity }) => JSON.stringify(activity));
      // Slices of two versions would not be a list, so the response breaks off, and the client tries again.
      if ((await getListVersion(database, list)) !== version) throw new AppError('server/unavailable');
      yield separator + activities.join(',') + (rows.length < sliceSize ? ']}' : '');
      if (rows.length < sliceSize) return;
      separator = ',';
    }
  }

  return {
    /** True if the public activities of a list at a version have too much text for the memory. */
    async isLarge(list: ListName, version: number): Promise<boolean> {
      let known = sizes.get(list);
      if (known?.version !== version) {
        known = { version, isLarge: readIsLarge(list) };
        sizes.set(list, known);
        // After an error, the next request reads the size again.
        known.isLarge.catch(() => sizes.delete(list));
      }
      return known.isLarge;
    },

    /**
     * Returns the public activities of a list as a JSON document.
     * @throws AppError `server/unavailable` when too many of these streams are open
     */
    open(list: ListName, version: number): Readable {
      if (streams >= mostStreams) throw new AppError('server/unavailable');
      streams += 1;
      const stream = Readable.from(slicesOf(list, version), { highWaterMark: 1 });
      return stream.once('close', () => {
        streams -= 1;
      });
    },
  };
}
