import type { Readable } from 'node:stream';

/** Bytes of a file, counted from 0; `end` is the last one, included. */
export type ByteRange = { start: number; end: number };

/** An upload as its store sees it. `state` is what `begin` answered. */
export type StoredUpload = { key: string; state: string; sizeBytes: number };

/**
 * Where contents are kept, by keys that this server makes up (hexadecimal, and for versions of a picture a suffix).
 * Every store passes the same tests (file-store.test.ts). What fails for want of room throws `server/storage-full`,
 * what fails because the store is away `server/unavailable`.
 */
export type FileStore = {
  /** Whether the store answers now, for the metrics. @throws when not */
  check(): Promise<void>;
  /** Makes room for an upload. @returns what the store needs to go on with it */
  begin(key: string, sizeBytes: number): Promise<string>;
  /**
   * Goes on with an upload. @throws UploadLost when what came before `offset` is not there any more
   * @param interrupted aborted when the writer should end soon: writes to a store that hangs are given up
   */
  write(upload: StoredUpload, offset: number, interrupted: AbortSignal): Promise<UploadWriter>;
  /** Stores a small content at once; it is there for good when this returns. */
  put(key: string, content: Uint8Array): Promise<void>;
  /**
   * A stored content, or a part of it.
   * @param bufferBytes how much may be read ahead of whoever takes it; a store may read less
   * @throws ContentMissing
   */
  read(key: string, range?: ByteRange, bufferBytes?: number): Promise<Readable>;
  /** Removes the keys, whatever there is of them, begun or finished. What is not there is no error. */
  remove(keys: readonly string[], state: string): Promise<void>;
  /** Ends what waits for the store. It is not used any more. */
  close(): void;
};

/** Writes the bytes of one request. Exactly one of `finish` and `close` ends it. */
export type UploadWriter = {
  /** Takes the chunk: once it is stored, its memory may be freed. */
  write(chunk: Uint8Array): Promise<void>;
  /** Makes everything written so far outlast this process, however it ends. */
  commit(): Promise<void>;
  /** To be called once the new offset has been noted: what only the old one needed can go. */
  noted(): Promise<void>;
  /** After the last byte: the content can be read under its key, for good. */
  finish(): Promise<void>;
  /** Lets go; what was not committed is given up. */
  close(): Promise<void>;
};

/** The store has lost the beginning of an upload; it has to begin again. */
export class UploadLost extends Error {
  override name = 'UploadLost';
}

/** There is nothing under this key. */
export class ContentMissing extends Error {
  override name = 'ContentMissing';
}
