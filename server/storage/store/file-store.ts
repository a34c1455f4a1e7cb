import type { Readable } from 'node:stream';
import type { ContentsPlace } from '#server/database/tables.ts';

/** A range of bytes, counted from 0; `end` is inclusive. */
export type ByteRange = { start: number; end: number };

/** An upload as its store sees it. `state` is the result of `begin`. */
export type StoredUpload = { key: string; state: string; sizeBytes: number };

/**
 * A store for the content of files. This server generates the keys (hexadecimal, with a suffix for versions
 * of a picture). Every store passes the same tests (file-store.test.ts). Methods throw `server/storage-full`
 * when there is no space, and `server/unavailable` when the store is unreachable.
 */
export type FileStore = {
  readonly place: ContentsPlace;
  /** Checks whether the store responds, for the metrics. @throws Error when it does not respond */
  check(): Promise<void>;
  /** Begins an upload. @returns the state that the store needs to continue it */
  begin(key: string, sizeBytes: number): Promise<string>;
  /**
   * Continues an upload.
   * @param interrupted aborted when the writer should end soon; the store then cancels writes that hang
   * @throws UploadLost when the bytes before `offset` are lost
   */
  write(upload: StoredUpload, offset: number, interrupted: AbortSignal): Promise<UploadWriter>;
  /** Stores the content of a small file in one call. The content is durable when the call returns. */
  put(key: string, content: Uint8Array): Promise<void>;
  /**
   * Reads a stored file's content, or a range of it.
   * @param bufferBytes the maximum number of bytes to read ahead of the consumer; a store may read fewer
   * @throws ContentMissing
   */
  read(key: string, range?: ByteRange, bufferBytes?: number): Promise<Readable>;
  /** Removes the contents of the keys, unfinished or finished. A missing content is not an error. */
  remove(keys: readonly string[], state: string): Promise<void>;
  /**
   * Aborts the uploads that began before `begunBefore` (epoch milliseconds) and whose state is not in
   * `known`. Does nothing in a store that keeps unfinished uploads under their keys.
   */
  endStrays(begunBefore: number, known: ReadonlySet<string>): Promise<void>;
  /** Lists the keys of all contents, without unfinished uploads. */
  keys(): AsyncGenerator<string>;
  /** Aborts all pending requests to the store. The store must not be used afterwards. */
  close(): void;
};

/** A writer for the bytes of one request. The caller ends it with either `finish` or `close`. */
export type UploadWriter = {
  /** Writes the chunk. The caller must not use the chunk afterwards, because a store can free its memory. */
  write(chunk: Uint8Array): Promise<void>;
  /** Makes sure that all bytes written so far outlast this process. */
  commit(): Promise<void>;
  /** The caller calls this after it has recorded the new offset. Removes what only the old offset needed. */
  noted(): Promise<void>;
  /** The caller calls this after the last byte. Makes the content durable and readable under its key. */
  finish(): Promise<void>;
  /** Ends the writer; uncommitted bytes are lost. */
  close(): Promise<void>;
};

/** Thrown when the store has lost the beginning of an upload, so that the upload must begin again. */
export class UploadLost extends Error {
  override name = 'UploadLost';
}

/** Thrown when the store has no content under a key. */
export class ContentMissing extends Error {
  override name = 'ContentMissing';
}
