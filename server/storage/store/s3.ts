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
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { watchAnswers } from '#server/database/answers.ts';
import type { Environment } from '#server/environment.ts';
import { AppError } from '#server/http/errors.ts';
import {
  ContentMissing,
  type FileStore,
  type StoredUpload,
  UploadLost,
  type UploadWriter,
} from './file-store.ts';

/**
 * The size of the parts of a multipart upload; S3 requires at least 5 MiB except for the last, and at most
 * 10,000 parts.
 */
const partBytes = 8 * 1024 * 1024;
const connectTimeoutMs = 3_000;
/** The time until the answer begins. Operations in which the store reads or joins content may take longer. */
const answerTimeoutMs = 3_000;
const partTimeoutMs = 15_000;
const probeTimeoutMs = 2_000;
const attempts = 2;
/** A connection that is idle for longer may be dead. */
const idleTimeoutMs = 4_000;
/** More than the concurrent downloads: each one uses a connection while its player reads. */
const maxConnections = 1_000;
/** The interval of the checks of a body, and the longest silence while its reader waits. */
const usualStall = { lookMs: 1_000, limitMs: 10_000 };
/** Other requests wait 8 s for the lease of an upload. */
const letGoMs = 3_000;

type SendOptions = { requestTimeout?: number; abortSignal?: AbortSignal };

/**
 * Stores contents as objects: `files/<key>`. An upload is a multipart upload in parts of 8 MiB. Committed
 * bytes after the last complete part are the object `uploads/<key>/<offset>`, so that another instance can
 * continue.
 */
export function openS3Store(
  { bucket, ...settings }: NonNullable<Environment['s3']>,
  stall = usualStall,
): FileStore {
  const closing = new AbortController();
  const client = new S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    forcePathStyle: true,
    // The SDK sends checksums by default, and some stores other than Amazon's refuse them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout: answerTimeoutMs,
      throwOnRequestTimeout: true,
      // A player with a full buffer stops reading for a while, so a silent connection is not an error.
      socketTimeout: 0,
      httpAgent: { maxSockets: maxConnections, timeout: idleTimeoutMs },
      httpsAgent: { maxSockets: maxConnections, timeout: idleTimeoutMs },
    },
  });
  const answers = watchAnswers({
    name: 'S3',
    isLost: (error) => !isAnswer(error),
    probe: () =>
      client
        .send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal: AbortSignal.timeout(probeTimeoutMs) })
        .catch(throwUnlessAnswer),
    // Idle connections close automatically.
    cutAll: () => {},
  });
  const send: S3Client['send'] = (async (
    command: Parameters<S3Client['send']>[0],
    { abortSignal = closing.signal, ...options }: SendOptions = {},
  ) => {
    if (answers.isAway()) throw new AppError('server/unavailable');
    const cut = new AbortController();
    const signal = AbortSignal.any([abortSignal, cut.signal]);
    const ask = () => client.send(command, { ...options, abortSignal: signal });
    try {
      return await answers.watch(ask, () => cut.abort(), false);
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
    /** The offset whose tail object is stored. */
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

    close() {
      answers.stop();
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
 * Destroys the body when the store sends nothing although its reader waits. Slow readers have no time limit.
 */
function endWhenStalled(body: unknown, { lookMs, limitMs }: typeof usualStall): Readable {
  if (!(body instanceof IncomingMessage)) throw new Error('The answer of S3 has no body.');
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

/** Ignores that the object is missing: some stores report it, Amazon's does not. */
async function ignoringMissing(removal: Promise<unknown>): Promise<void> {
  await removal.catch((error: unknown) => {
    if (!(error instanceof UploadLost) && !(error instanceof ContentMissing)) throw error;
  });
}

/** With a status below 500 the store has understood the request. */
function isAnswer(error: unknown): boolean {
  const { httpStatusCode = 500 } = (error as { $metadata?: { httpStatusCode?: number } }).$metadata ?? {};
  return httpStatusCode < 500 || httpStatusCode === 507;
}

function throwUnlessAnswer(error: unknown) {
  if (!isAnswer(error)) throw error;
}

/** Translates an S3 error, or a missing answer, to this store's errors. */
function meaningOf(cause: unknown): Error {
  const { name = '', $metadata } = cause as { name?: string; $metadata?: { httpStatusCode?: number } };
  if (name === 'NoSuchUpload') return new UploadLost(undefined, { cause });
  if (name === 'NoSuchKey' || name === 'NotFound') return new ContentMissing(undefined, { cause });
  const full = $metadata?.httpStatusCode === 507 || name === 'QuotaExceeded';
  return new AppError(full ? 'server/storage-full' : 'server/unavailable', { cause });
}
