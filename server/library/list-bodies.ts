import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { ListName } from '#contract/axes.ts';
import type { ReadVersions } from '../database/versions.ts';
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
