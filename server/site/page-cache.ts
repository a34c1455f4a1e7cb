import type { CachedDocument } from './document.ts';

type Limits = {
  /** The maximum number of documents in memory. */
  mostPages: number;
  /** The maximum number of bytes of all documents together. The newest one stays, whatever its size. */
  mostBytes: number;
};

type Entry = {
  /** What the document was made from: versions of the content and the library. */
  versions: string;
  document: Promise<CachedDocument>;
  bytes: number;
  expiry: NodeJS.Timeout | undefined;
};

/**
 * Keeps documents until their versions change. If there are too many, or if they are too large in total, the
 * cache forgets the least recently requested ones.
 */
export function createPageCache({ mostPages, mostBytes }: Limits) {
  /** The least recently used document comes first. */
  const entries = new Map<string, Entry>();
  let bytes = 0;

  function forget(key: string, entry: Entry) {
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    bytes -= entry.bytes;
    clearTimeout(entry.expiry);
  }

  function forgetOldest(newest: Entry) {
    for (const [key, entry] of entries) {
      if ((entries.size <= mostPages && bytes <= mostBytes) || entry === newest) break;
      forget(key, entry);
    }
  }

  function add(key: string, { versions, make, until }: Wanted): Promise<CachedDocument> {
    const before = entries.get(key);
    if (before) forget(key, before);
    const entry: Entry = { versions, document: make(), bytes: 0, expiry: undefined };
    entries.set(key, entry);
    if (until !== undefined) entry.expiry = setTimeout(() => forget(key, entry), until - Date.now()).unref();
    forgetOldest(entry);
    entry.document.then(
      (document) => {
        if (entries.get(key) !== entry) return;
        entry.bytes = document.bytes;
        bytes += document.bytes;
        forgetOldest(entry);
      },
      // After an error, the next request tries again.
      () => forget(key, entry),
    );
    return entry.document;
  }

  return {
    /** Finds the document, if it was made from these versions. */
    find(key: string, versions: string): Promise<CachedDocument> | undefined {
      const known = entries.get(key);
      if (known?.versions !== versions) return undefined;
      entries.delete(key);
      entries.set(key, known);
      return known.document;
    },

    /** Finds the document, or makes it. Concurrent requests share one making. */
    read(key: string, wanted: Wanted): Promise<CachedDocument> {
      return this.find(key, wanted.versions) ?? add(key, wanted);
    },
  };
}

type Wanted = {
  versions: string;
  make: () => Promise<CachedDocument>;
  /** When the cache must forget the document, in epoch milliseconds. */
  until?: number | undefined;
};
