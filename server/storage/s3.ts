import { Readable } from 'node:stream';
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
import type { Environment } from '../environment.ts';
import { AppError } from '../errors.ts';
import {
  ContentMissing,
  type FileStore,
  type StoredUpload,
  UploadLost,
  type UploadWriter,
} from './file-store.ts';

/** Parts of a multipart upload; S3 takes none smaller than 5 MiB but the last, and ten thousand at most. */
const partBytes = 8 * 1024 * 1024;
const connectTimeoutMs = 3_000;
const requestTimeoutMs = 30_000;

/**
 * Contents as objects: `files/<key>`. An upload is a multipart upload in parts of 8 MiB; what is committed beyond
 * the last whole part waits as the object `uploads/<key>/<offset>`, so that nothing depends on this instance.
 */
export function openS3Store({ bucket, ...settings }: NonNullable<Environment['s3']>): FileStore {
  const client = new S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    forcePathStyle: true,
    // Sent by default of late, and refused by stores that are not Amazon's.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectTimeoutMs, requestTimeout: requestTimeoutMs },
  });
  const send: S3Client['send'] = (async (command: Parameters<S3Client['send']>[0]) => {
    try {
      return await client.send(command);
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
    const tail = Buffer.from((await Body?.transformToByteArray()) ?? []);
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

  function createWriter({ key, state, sizeBytes }: StoredUpload, offset: number, tail: Buffer): UploadWriter {
    const part = Buffer.allocUnsafe(Math.min(partBytes, sizeBytes - (offset - tail.length)));
    tail.copy(part);
    let filled = tail.length;
    let written = offset;
    /** The offset whose tail is stored. */
    let noted = offset;

    async function sendPart() {
      const PartNumber = Math.ceil(written / partBytes);
      const Body = part.subarray(0, filled);
      await send(new UploadPartCommand({ ...objectOf(key), UploadId: state, PartNumber, Body }));
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
          if (filled === partBytes) await sendPart();
        }
      },
      async commit() {
        if (filled > 0)
          await send(new PutObjectCommand({ ...tailOf(key, written), Body: part.subarray(0, filled) }));
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

    async write(upload, offset) {
      return createWriter(upload, offset, await readTail(upload.key, offset));
    },

    async put(key, content) {
      await send(new PutObjectCommand({ ...objectOf(key), Body: content }));
    },

    async read(key, range) {
      const { Body } = await send(
        new GetObjectCommand({ ...objectOf(key), Range: range && `bytes=${range.start}-${range.end}` }),
      );
      if (!(Body instanceof Readable)) throw new Error('The answer of S3 has no body.');
      return Body;
    },

    async remove([first = '', ...others], state) {
      if (state !== '') {
        await ignoringMissing(send(new AbortMultipartUploadCommand({ ...objectOf(first), UploadId: state })));
        await removeTails(first);
      }
      for (const key of [first, ...others])
        await ignoringMissing(send(new DeleteObjectCommand(objectOf(key))));
    },
  };
}

/** What is not there need not be removed: some stores say so, and Amazon's does not. */
async function ignoringMissing(removal: Promise<unknown>): Promise<void> {
  await removal.catch((error: unknown) => {
    if (!(error instanceof UploadLost) && !(error instanceof ContentMissing)) throw error;
  });
}

/** What an answer of S3, or none, means here. */
function meaningOf(cause: unknown): Error {
  const { name = '', $metadata } = cause as { name?: string; $metadata?: { httpStatusCode?: number } };
  if (name === 'NoSuchUpload') return new UploadLost(undefined, { cause });
  if (name === 'NoSuchKey' || name === 'NotFound') return new ContentMissing(undefined, { cause });
  const full = $metadata?.httpStatusCode === 507 || name === 'QuotaExceeded';
  return new AppError(full ? 'server/storage-full' : 'server/unavailable', { cause });
}
