import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { ListName } from '#contract/axes.ts';
import type { Database } from '../database/connect.ts';
import type { WrittenList } from './activities.ts';
import { listVersionReader } from './list-versions.ts';

/** A list document, or a part of it, as an HTTP body. */
export type ListBody = { version: number; json: Buffer; packed: Promise<Buffer> | undefined };

const compress = promisify(brotliCompress);
/** Smaller bodies are not compressed. */
const packedFromBytes = 2_048;

/**
 * Caches the bodies of the list documents and their parts until the list has another version. They are the
 * most requested documents, and serializing thousands of activities takes longer than sending them. Other
 * instances change lists, too, so the current version always comes from the database.
 */
export function keepListBodies(
  database: Database,
  write: (list: ListName, part: number) => Promise<WrittenList>,
) {
  const readVersion = listVersionReader(database);
  /** The bodies of the newest known version of each list. */
  const kept = new Map<ListName, { version: number; parts: Map<number, ListBody> }>();
  const asked = new Map<ListName, Promise<number>>();

  /**
   * The current version of the list. Concurrent requests share one query. It runs after every waiting request
   * has arrived, so none sees a stale version.
   */
  function version(list: ListName): Promise<number> {
    const shared = asked.get(list);
    if (shared) return shared;
    const query = nextTurn().then(() => {
      asked.delete(list);
      return readVersion(list);
    });
    asked.set(list, query);
    return query;
  }

  /** @param now the result of `version`; the returned body can be newer */
  async function read(list: ListName, part: number, now: number): Promise<ListBody> {
    const known = kept.get(list);
    const body = known?.version === now ? known.parts.get(part) : undefined;
    return body ?? keep(list, await write(list, part), part);
  }

  function keep(list: ListName, { version, json, parts }: WrittenList, part = 0): ListBody {
    const body = { version, json: Buffer.from(json), packed: undefined };
    // A slow database query must not replace a newer version with an older one.
    if ((kept.get(list)?.version ?? -1) < version) kept.set(list, { version, parts: new Map() });
    const known = kept.get(list);
    // Do not cache parts that do not exist.
    if (known?.version === version && part < parts) known.parts.set(part, body);
    return body;
  }

  return { version, read, keep };
}

/** Compresses the body with Brotli, once, in the thread pool; `undefined` for small bodies. */
export function packedBody(body: ListBody): Promise<Buffer> | undefined {
  if (body.json.length < packedFromBytes) return undefined;
  body.packed ??= compress(body.json, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  return body.packed;
}
