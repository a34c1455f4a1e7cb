import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { sql } from 'kysely';
import type { ListName } from '#contract/axes.ts';
import { oncePerVersion } from '../concurrency.ts';
import type { Database } from '../database/connect.ts';
import type { ReadVersions } from '../database/versions.ts';
import { AppError } from '../http/errors.ts';
import { activityColumns } from './activities.ts';
import { getListVersion, perList } from './list-versions.ts';
import type { WrittenList } from './lists.ts';

/** A list document, or a part of it, as an HTTP body. */
export type ListBody = {
  version: number;
  json: Buffer;
  packed: Promise<Buffer> | undefined;
  /** The responses that are still sending this body. */
  readers: Set<ServerResponse>;
};

const compress = promisify(brotliCompress);
/** Smaller bodies are not compressed. */
const packedFromBytes = 2_048;
/** Smaller bodies fit into the buffers of a connection, so a slow client cannot keep them in memory. */
const watchedFromBytes = 64 * 1024;
/**
 * The most bytes of old list versions that slow clients can keep in memory. The newest of these bodies may
 * always stay, even if it is larger.
 */
const mostOldBytes = 16 * 1024 * 1024;

/**
 * Caches the bodies of the list documents and their parts until the version of the list changes. The list
 * documents are requested most, and serializing thousands of activities takes longer than sending the result.
 * Other instances change lists, too, so the current version always comes from the database.
 */
export function keepListBodies(
  readVersions: ReadVersions,
  write: (list: ListName, part: number) => Promise<WrittenList>,
) {
  /** The cached bodies of each list, all of the newest version that this instance has read. */
  const kept = new Map<ListName, { version: number; parts: Map<number, ListBody> }>();
  /** The bodies that are being written. Requests that arrive together share one. */
  const writing = new Map<string, Promise<ListBody>>();
  /** Bodies of older list versions that responses are still sending, oldest first. */
  let old: ListBody[] = [];

  /** The current version of the list. */
  const version = async (list: ListName): Promise<number> => (await readVersions()).lists[list];

  /** @param now the result of `version`; the returned body can be newer */
  async function read(list: ListName, part: number, now: number): Promise<ListBody> {
    const known = kept.get(list);
    const body = known?.version === now ? known.parts.get(part) : undefined;
    if (body) return body;
    const key = `${list} ${part} ${now}`;
    const begun =
      writing.get(key) ??
      write(list, part)
        .then((written) => keep(list, written, part))
        .finally(() => writing.delete(key));
    writing.set(key, begun);
    return begun;
  }

  function keep(list: ListName, written: WrittenList, part: number): ListBody {
    const { version, parts } = written;
    const body = toBody(written);
    // A slow database query must not replace a newer version with an older one.
    const replaced = kept.get(list);
    if ((replaced?.version ?? -1) < version) {
      kept.set(list, { version, parts: new Map() });
      limitOld([...(replaced?.parts.values() ?? [])]);
    }
    const known = kept.get(list);
    // Do not cache a body of an older version, or a part that does not exist.
    if (known?.version !== version || part >= parts) return body;
    const first = known.parts.get(part) ?? body;
    known.parts.set(part, first);
    return first;
  }

  /**
   * Ends the oldest responses that still send older list versions. Otherwise clients that do not read could
   * fill the memory.
   */
  function limitOld(replaced: ListBody[]) {
    old = [...old, ...replaced].filter(({ readers }) => readers.size > 0);
    let bytes = old.reduce((sum, { json }) => sum + json.length, 0);
    while (old.length > 1 && bytes > mostOldBytes) {
      const oldest = old.shift();
      bytes -= oldest?.json.length ?? 0;
      for (const reader of oldest?.readers ?? []) reader.destroy();
    }
  }

  return { version, read };
}

export const toBody = ({ version, json }: WrittenList): ListBody => ({
  version,
  json: Buffer.from(json),
  packed: undefined,
  readers: new Set(),
});

/** Counts a response among the readers of the body until the response ends. */
export function addReader({ json, readers }: ListBody, response: ServerResponse): void {
  if (json.length < watchedFromBytes) return;
  readers.add(response);
  response.once('close', () => readers.delete(response));
}

/** Compresses the body with Brotli, once, in the thread pool; `undefined` for small bodies. */
export function packedBody(body: ListBody): Promise<Buffer> | undefined {
  if (body.json.length < packedFromBytes) return undefined;
  body.packed ??= compress(body.json, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  return body.packed;
}

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
  const known = perList(() => oncePerVersion<boolean>());
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
    isLarge: (list: ListName, version: number): Promise<boolean> =>
      known[list](version, () => readIsLarge(list)),

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
