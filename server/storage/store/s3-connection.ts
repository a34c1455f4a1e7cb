import { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { detectOutages } from '#server/database/outages.ts';
import type { Environment } from '#server/environment.ts';
import type { S3Settings } from '#server/environment-values.ts';
import { AppError } from '#server/http/errors.ts';
import { ContentMissing, UploadLost } from './file-store.ts';

const connectTimeoutMs = 3_000;
/** The longest wait for the first byte of a response, unless a request says otherwise. */
const responseTimeoutMs = 3_000;
const probeTimeoutMs = 2_000;
const attempts = 2;
/** The client closes connections that are idle for this time, because the store may have dropped them. */
const idleTimeoutMs = 4_000;
/**
 * The maximum number of connections to the store. It must be larger than the number of concurrent downloads
 * (files/serve.ts allows 1,024), because each download uses a connection until its client has read
 * the file.
 */
const maxConnections = 1_200;

export type SendOptions = { requestTimeout?: number; abortSignal?: AbortSignal };

/** A connection to a bucket. While the store is unreachable, requests fail at once. */
export type S3Connection = {
  bucket: string;
  /**
   * Sends a command and returns its output.
   * @throws AppError `server/unavailable` when no response comes, `server/storage-full` when no space is left
   * @throws ContentMissing, UploadLost when the store has no such object or upload
   */
  send: S3Client['send'];
  /** Aborted when the connection closes. */
  closing: AbortSignal;
  close: () => void;
};

/** Connects with the first request. The caller closes the connection. */
export function openS3Connection({ bucket, ...settings }: NonNullable<Environment['s3']>): S3Connection {
  const closing = new AbortController();
  const client = new S3Client({
    ...s3ClientSettings(settings),
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout: responseTimeoutMs,
      throwOnRequestTimeout: true,
      // An idle connection is not an error, because a player with a full buffer stops reading for a while.
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

  return {
    bucket,
    send,
    closing: closing.signal,
    close() {
      outages.stop();
      closing.abort();
      client.destroy();
    },
  };
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

/**
 * Waits for a removal, and ignores the error that the object or upload is missing. Amazon S3 reports no error
 * when a missing object is deleted.
 */
export async function ignoringMissing(removal: Promise<unknown>): Promise<void> {
  await removal.catch((error: unknown) => {
    if (!(error instanceof UploadLost) && !(error instanceof ContentMissing)) throw error;
  });
}

/** How often a body is checked, and how long the store can be silent while the reader waits. */
export type Stall = { lookMs: number; limitMs: number };

export const defaultStall: Stall = { lookMs: 1_000, limitMs: 10_000 };

/**
 * Destroys the body when the store sends nothing for `limitMs` while the reader waits. Slow readers have no
 * time limit.
 * @throws Error when the response has no body
 */
export function endWhenStalled(body: unknown, { lookMs, limitMs }: Stall): Readable {
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

/** Client settings that work with every store that speaks S3, not only with Amazon's. */
export const s3ClientSettings = ({ endpoint, region, ...credentials }: Omit<S3Settings, 'bucket'>) =>
  ({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    // The SDK sends checksums by default, and some stores other than Amazon's refuse them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  }) as const;
