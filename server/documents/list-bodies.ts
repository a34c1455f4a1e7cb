import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { ListName } from '#contract/axes.ts';
import type { Database } from '../database/connect.ts';
import { getListVersion } from './list-versions.ts';

/** What is read of a list at one moment. */
type Read = { version: number; activities: object[] };

/** A list document as it is sent. */
export type ListBody = { version: number; json: Buffer; packed: Promise<Buffer> | undefined };

const compress = promisify(brotliCompress);
/** Less is not worth the work. */
const packedFromBytes = 2_048;

/**
 * The list documents as they are sent, each kept until its list has another version: everybody reads them, and a
 * list of thousands takes longer to write out than to send. Other instances change lists too, so the version is
 * read from the database every time.
 */
export function keepListBodies(
  database: Database,
  readDocument: (database: Database, list: ListName) => Promise<Read>,
) {
  const kept = new Map<ListName, ListBody>();
  const asked = new Map<ListName, Promise<number>>();

  /**
   * The version the list has now. Requests that arrived together share one query, and it is sent after all of
   * them: nobody gets a version from before the own request.
   */
  function version(list: ListName): Promise<number> {
    const shared = asked.get(list);
    if (shared) return shared;
    const query = nextTurn().then(() => {
      asked.delete(list);
      return getListVersion(database, list);
    });
    asked.set(list, query);
    return query;
  }

  async function read(list: ListName): Promise<ListBody> {
    const now = await version(list);
    const known = kept.get(list);
    if (known?.version === now) return known;
    return keep(list, await readDocument(database, list));
  }

  function keep(list: ListName, { version, activities }: Read): ListBody {
    const body = { version, json: Buffer.from(JSON.stringify({ [list]: activities })), packed: undefined };
    // A slow reader must not put an older version in the place of a newer one.
    if ((kept.get(list)?.version ?? -1) < version) kept.set(list, body);
    return body;
  }

  return { version, read, keep };
}

/** The body in Brotli, made once; `undefined` where that is not worth it. In the thread pool, off the event loop. */
export function packedBody(body: ListBody): Promise<Buffer> | undefined {
  if (body.json.length < packedFromBytes) return undefined;
  body.packed ??= compress(body.json, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  return body.packed;
}

/** Whether an Accept-Encoding header takes Brotli. */
export const takesBrotli = (header: string | string[] | undefined) =>
  /(?:^|[\s,])br\s*(?:,|$|;\s*q=(?:1|0\.\d*[1-9]))/.test(String(header ?? ''));
