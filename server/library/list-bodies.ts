import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { ListName } from '#contract/axes.ts';
import type { Database } from '../database/connect.ts';
import type { WrittenList } from './activities.ts';
import { listVersionReader } from './list-versions.ts';

/** A list document, or a part of it, as it is sent. */
export type ListBody = { version: number; json: Buffer; packed: Buffer | Promise<Buffer> | undefined };

const compress = promisify(brotliCompress);
/** Less is not worth the work. */
const packedFromBytes = 2_048;

/**
 * The list documents as they are sent, whole or in parts, each kept until its list has another version: everybody
 * reads them, and a list of thousands takes longer to write out than to send. Other instances change lists too, so
 * the version is read from the database every time.
 */
export function keepListBodies(
  database: Database,
  write: (list: ListName, part: number) => Promise<WrittenList>,
) {
  const readVersion = listVersionReader(database);
  /** Of the newest version that is known of each list. */
  const kept = new Map<ListName, { version: number; parts: Map<number, ListBody> }>();
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
      return readVersion(list);
    });
    asked.set(list, query);
    return query;
  }

  /** @param now what `version` just said; the body may be newer */
  function read(list: ListName, part: number, now: number): ListBody | Promise<ListBody> {
    const known = kept.get(list);
    const body = known?.version === now ? known.parts.get(part) : undefined;
    return body ?? write(list, part).then((written) => keep(list, written, part));
  }

  function keep(list: ListName, { version, json, parts }: WrittenList, part = 0): ListBody {
    const body = { version, json: Buffer.from(json), packed: undefined };
    // A slow reader must not put an older version in the place of a newer one.
    if ((kept.get(list)?.version ?? -1) < version) kept.set(list, { version, parts: new Map() });
    const known = kept.get(list);
    // Numbers that no part has are not to fill the memory.
    if (known?.version === version && part < parts) known.parts.set(part, body);
    return body;
  }

  return { version, read, keep };
}

/** The body in Brotli, made once; `undefined` where that is not worth it. In the thread pool, off the event loop. */
export function packedBody(body: ListBody): Buffer | Promise<Buffer> | undefined {
  if (body.json.length < packedFromBytes) return undefined;
  body.packed ??= pack(body);
  return body.packed;
}

async function pack(body: ListBody): Promise<Buffer> {
  const packed = await compress(body.json, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  body.packed = packed;
  return packed;
}

/** Whether an Accept-Encoding header takes Brotli. */
export const takesBrotli = (header: string | string[] | undefined) =>
  /(?:^|[\s,])br\s*(?:,|$|;\s*q=(?:1|0\.\d*[1-9]))/.test(String(header ?? ''));
