import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  ListPartsCommand,
  type MultipartUpload,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { detectOutages } from '#server/database/outages.ts';
import type { Environment } from '#server/environment.ts';
import { AppError } from '#server/http/errors.ts';
import {
  ContentMissing,
  type FileStore,
  type StoredUpload,
  UploadLost,
  type UploadWriter,
} from './file-store.ts';
import { s3ClientSettings } from './s3-client-settings.ts';

/**
 * The size of the parts of a multipart upload. S3 requires at least 5 MiB for all parts except the last one,
 * and allows at most 10,000 parts.
 */
const partBytes = 8 * 1024 * 1024;
const connectTimeoutMs = 3_000;
/**
 * The longest wait for the first byte of a response. Requests that send content or complete an upload have
 * `partTimeoutMs` instead.
 */
const responseTimeoutMs = 3_000;
const partTimeoutMs = 15_000;
const probeTimeoutMs = 2_000;
const attempts = 2;
/** The client closes connections that are idle for this time, because the store may have dropped them. */
const idleTimeoutMs = 4_000;
/**
 * The most connections to the store: more than concurrent downloads (files/reading-limits.ts allows 1,024),
 * because each uses one until its client has read the file.
 */
const maxConnections = 1_200;
/** The interval of the checks of a body, and how long the store can be silent while the reader waits. */
const usualStall = { lookMs: 1_000, limitMs: 10_000 };
/** An interrupted writer is aborted after this time. Other requests wait 8 s for the lease of its upload. */
const letGoMs = 3_000;

type SendOptions = { requestTimeout?: number; abortSignal?: AbortSignal };

/**
 * Opens a store that keeps each file's content as an object, `files/<key>`. An upload is a multipart upload
 * of S3 with parts of 8 MiB. Committed bytes after the last complete part are in the object
 * `uploads/<key>/<offset>`, so that another instance can continue the upload.
 */
export function openS3Store(
  { bucket, ...settings }: NonNullable<Environment['s3']>,
  stall = usualStall,
): FileStore {
  const closing = new AbortController();
  const client = new S3Client({
    ...s3ClientSettings(settings),
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout: responseTimeoutMs,
      throwOnRequestTimeout: true,
      // A player with a full buffer stops reading for a while, so an idle connection is not an error.
      socketTimeout: 0,
      httpAgent: { maxSockets: maxConnections, timeout: idleTimeoutMs },
      httpsAgent: { maxSockets: maxConnections, timeout: idleTimeoutMs },
    },
  });
  const outages = detectOutages({
    name: 'S3',
    isLost: (error) => !isResponse(error),
    probe: () =>
      client
        .send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal: AbortSignal.timeout(probeTimeoutMs) })
        .catch(throwUnlessResponse),
    // Nothing to do: the agents close idle connections.
    cutAll: () => {},
  });
  const send: S3Client['send'] = (async (
    command: Parameters<S3Client['send']>[0],
    { abortSignal = closing.signal, ...options }: SendOptions = {},
  ) => {
    if (outages.isAway()) throw new AppError('server/unavailable');
    const cut = new AbortController();
    const signal = AbortSignal.any([abortSignal, cut.signal]);
    const ask = () => client.send(command, { ...options, abortSignal: signal });
    try {
      return await outages.watch(ask, () => cut.abort(), false);
    } catch (error) {
      throw meaningOf(error);
    }
  }) as S3Client['send'];
  const objectOf = (key: string) => ({ Bucket: bucket, Key: `files/${key}` });
  const tailOf = (key: string, offset: number) => ({ Bucket: bucket, Key: `uploads/${key}/${offset}` });

  async function readTail(key: string, offset: number): Promise<Buffer> {
    const length = offset % partBytes;
    if (length === 0) return Buffer.alloc(0);
    const { Body } = await send(new GetObjectCommand(tailOf(key, offset))).catch((error: unknown) => {
      throw error instanceof ContentMissing ? new UploadLost(undefined, { cause: error }) : error;
    });
    const tail = await buffer(endWhenStalled(Body, stall));
    if (tail.length !== length) throw new UploadLost();
    return tail;
  }

  async function removeTails(key: string) {
    const { Contents = [] } = await send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: `uploads/${key}/` }),
    );
    for (const { Key } of Contents)
      await ignoringMissing(send(new DeleteObjectCommand({ Bucket: bucket, Key })));
  }

  async function listParts(key: string, state: string) {
    const parts: { PartNumber: number | undefined; ETag: string | undefined }[] = [];
    let marker: string | undefined;
    do {
      const page = await send(
        new ListPartsCommand({ ...objectOf(key), UploadId: state, PartNumberMarker: marker }),
      );
      for (const { PartNumber, ETag } of page.Parts ?? []) parts.push({ PartNumber, ETag });
      marker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
    } while (marker !== undefined);
    return parts;
  }

  async function listUploads(): Promise<MultipartUpload[]> {
    const uploads: MultipartUpload[] = [];
    let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
    while (marker) {
      const page: ListMultipartUploadsCommandOutput = await send(
        new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: 'files/', ...marker }),
      );
      uploads.push(...(page.Uploads ?? []));
      marker = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : undefined;
    }
    return uploads;
  }

  function createWriter(
    { key, state, sizeBytes }: StoredUpload,
    offset: number,
    tail: Buffer,
    abortSignal: AbortSignal,
  ): UploadWriter {
    const part = Buffer.allocUnsafe(Math.min(partBytes, sizeBytes - (offset - tail.length)));
    tail.copy(part);
    let filled = tail.length;
    let written = offset;
    /** The last recorded offset. Its tail object is stored. */
    let noted = offset;

    async function sendPart(options: SendOptions = {}) {
      const PartNumber = Math.ceil(written / partBytes);
      const Body = part.subarray(0, filled);
      await send(new UploadPartCommand({ ...objectOf(key), UploadId: state, PartNumber, Body }), {
        requestTimeout: partTimeoutMs,
        ...options,
      });
      filled = 0;
    }

    return {
      async write(chunk) {
        for (let start = 0; start < chunk.length; ) {
          const some = chunk.subarray(start, start + partBytes - filled);
          part.set(some, filled);
          filled += some.length;
          written += some.length;
          start += some.length;
          if (filled === partBytes) await sendPart({ abortSignal });
        }
      },
      async commit() {
        if (filled > 0)
          await send(new PutObjectCommand({ ...tailOf(key, written), Body: part.subarray(0, filled) }), {
            requestTimeout: partTimeoutMs,
            abortSignal,
          });
      },
      async noted() {
        if (noted !== written && noted % partBytes > 0)
          await ignoringMissing(send(new DeleteObjectCommand(tailOf(key, noted))));
        noted = written;
      },
      async finish() {
        if (filled > 0) await sendPart();
        const Parts = (await listParts(key, state)).filter(
          ({ PartNumber = 0 }) => PartNumber <= Math.ceil(sizeBytes / partBytes),
        );
        await send(
          new CompleteMultipartUploadCommand({
            ...objectOf(key),
            UploadId: state,
            MultipartUpload: { Parts },
          }),
          { requestTimeout: partTimeoutMs },
        );
        await removeTails(key);
      },
      async close() {},
    };
  }

  return {
    place: 's3',

    async check() {
      await send(new HeadBucketCommand({ Bucket: bucket }));
    },

    async begin(key) {
      const { UploadId = '' } = await send(new CreateMultipartUploadCommand(objectOf(key)));
      return UploadId;
    },

    async write(upload, offset, interrupted) {
      const letGo = abortLater(interrupted, letGoMs);
      const signal = AbortSignal.any([closing.signal, letGo]);
      return createWriter(upload, offset, await readTail(upload.key, offset), signal);
    },

    async put(key, content) {
      await send(new PutObjectCommand({ ...objectOf(key), Body: content }), {
        requestTimeout: partTimeoutMs,
      });
    },

    async read(key, range) {
      const { Body } = await send(
        new GetObjectCommand({ ...objectOf(key), Range: range && `bytes=${range.start}-${range.end}` }),
      );
      return endWhenStalled(Body, stall);
    },

    async remove([first = '', ...others], state) {
      if (state !== '') {
        await ignoringMissing(send(new AbortMultipartUploadCommand({ ...objectOf(first), UploadId: state })));
        await removeTails(first);
      }
      for (const key of [first, ...others])
        await ignoringMissing(send(new DeleteObjectCommand(objectOf(key))));
    },

    async endStrays(begunBefore, known) {
      for (const { Key, UploadId = '', Initiated } of await listUploads())
        if (Initiated && Initiated.getTime() < begunBefore && !known.has(UploadId))
          await ignoringMissing(send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })));
    },

    async *keys() {
      let ContinuationToken: string | undefined;
      do {
        const page: ListObjectsV2CommandOutput = await send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: 'files/', ContinuationToken }),
        );
        for (const { Key = '' } of page.Contents ?? []) yield Key.slice('files/'.length);
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },

    close() {
      outages.stop();
      closing.abort();
      client.destroy();
    },
  };
}

/** Returns a signal that is aborted some time after the other one. */
function abortLater(signal: AbortSignal, milliseconds: number): AbortSignal {
  const later = new AbortController();
  const begin = () => setTimeout(() => later.abort(), milliseconds).unref();
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return later.signal;
}

/**
 * Destroys the body when the store sends nothing while the reader waits. Slow readers have no time limit.
 */
function endWhenStalled(body: unknown, { lookMs, limitMs }: typeof usualStall): Readable {
  if (!(body instanceof IncomingMessage)) throw new Error('The response of S3 has no body.');
  let paused = false;
  let received = body.socket.bytesRead;
  let movedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const { bytesRead } = body.socket;
    if (paused || body.complete || body.readableLength > 0 || bytesRead !== received) movedAt = now;
    received = bytesRead;
    if (now - movedAt > limitMs)
      body.destroy(new AppError('server/unavailable', { cause: new Error('S3 sends no more data.') }));
  }, lookMs).unref();
  return body
    .on('pause', () => {
      paused = true;
    })
    .on('resume', () => {
      paused = false;
    })
    .once('close', () => clearInterval(timer));
}

/** Ignores the error of a missing object. Amazon S3 reports no error when a missing object is deleted. */
async function ignoringMissing(removal: Promise<unknown>): Promise<void> {
  await removal.catch((error: unknown) => {
    if (!(error instanceof UploadLost) && !(error instanceof ContentMissing)) throw error;
  });
}

/** True if the store itself responded to the request: with a status below 500, or with 507 (no space). */
function isResponse(error: unknown): boolean {
  const { httpStatusCode = 500 } = (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
  return httpStatusCode < 500 || httpStatusCode === 507;
}

function throwUnlessResponse(error: unknown) {
  if (!isResponse(error)) throw error;
}

/** Converts an S3 error, or the error of a missing response, to the errors of `FileStore`. */
function meaningOf(cause: unknown): Error {
  const { name = '', $metadata } = cause as { name?: string; $metadata?: { httpStatusCode?: number } };
  if (name === 'NoSuchUpload') return new UploadLost(undefined, { cause });
  if (name === 'NoSuchKey' || name === 'NotFound') return new ContentMissing(undefined, { cause });
  const full = $metadata?.httpStatusCode === 507 || name === 'QuotaExceeded';
  return new AppError(full ? 'server/storage-full' : 'server/unavailable', { cause });
}
