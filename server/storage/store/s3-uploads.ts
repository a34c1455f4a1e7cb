import { buffer } from 'node:stream/consumers';
import {
  CompleteMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListObjectsV2Command,
  ListPartsCommand,
  type MultipartUpload,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { ContentMissing, type StoredUpload, UploadLost, type UploadWriter } from './file-store.ts';
import {
  endWhenStalled,
  ignoringMissing,
  type S3Connection,
  type SendOptions,
  type Stall,
} from './s3-connection.ts';

/**
 * The size of the parts of a multipart upload. S3 requires at least 5 MiB for all parts except the last one,
 * and allows at most 10,000 parts.
 */
const partBytes = 8 * 1024 * 1024;
/** The longest wait for the response to a request that sends content or completes an upload. */
export const partTimeoutMs = 15_000;

/** Names the object with the content of a file. */
export const objectOf = (bucket: string, key: string) => ({ Bucket: bucket, Key: `files/${key}` });

/**
 * Creates the functions for uploads to S3. Each upload is a multipart upload with parts of 8 MiB to the
 * object `files/<key>`. The object `uploads/<key>/<offset>` has the committed bytes after the last whole
 * part, so that any instance can continue the upload.
 */
export function createS3Uploads({ bucket, send }: S3Connection, stall: Stall) {
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
        new ListPartsCommand({ ...objectOf(bucket, key), UploadId: state, PartNumberMarker: marker }),
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
    /** The last recorded offset. The bytes between the last whole part and this offset are stored. */
    let noted = offset;

    async function sendPart(options: SendOptions = {}) {
      const PartNumber = Math.ceil(written / partBytes);
      const Body = part.subarray(0, filled);
      await send(new UploadPartCommand({ ...objectOf(bucket, key), UploadId: state, PartNumber, Body }), {
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
            ...objectOf(bucket, key),
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

  return { readTail, removeTails, listUploads, createWriter };
}
