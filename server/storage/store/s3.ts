import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import type { Environment } from '#server/environment.ts';
import type { FileStore } from './file-store.ts';
import { defaultStall, endWhenStalled, ignoringMissing, openS3Connection } from './s3-connection.ts';
import { createS3Uploads, objectOf, partTimeoutMs } from './s3-uploads.ts';

/** An interrupted writer is aborted after this time. Other requests wait for its lease longer, up to 8 s. */
const interruptedTimeoutMs = 3_000;

/** Opens a store that keeps each file's content as an object, `files/<key>`. */
export function openS3Store(settings: NonNullable<Environment['s3']>, stall = defaultStall): FileStore {
  const connection = openS3Connection(settings);
  const { bucket, send } = connection;
  const uploads = createS3Uploads(connection, stall);

  return {
    place: 's3',

    async check() {
      await send(new HeadBucketCommand({ Bucket: bucket }));
    },

    async begin(key) {
      const { UploadId = '' } = await send(new CreateMultipartUploadCommand(objectOf(bucket, key)));
      return UploadId;
    },

    async write(upload, offset, interrupted) {
      const overdue = abortLater(interrupted, interruptedTimeoutMs);
      const signal = AbortSignal.any([connection.closing, overdue]);
      return uploads.createWriter(upload, offset, await uploads.readTail(upload.key, offset), signal);
    },

    async put(key, content) {
      await send(new PutObjectCommand({ ...objectOf(bucket, key), Body: content }), {
        requestTimeout: partTimeoutMs,
      });
    },

    async read(key, range) {
      const { Body } = await send(
        new GetObjectCommand({
          ...objectOf(bucket, key),
          Range: range && `bytes=${range.start}-${range.end}`,
        }),
      );
      return endWhenStalled(Body, stall);
    },

    async remove([first = '', ...others], state) {
      if (state !== '') {
        await ignoringMissing(
          send(new AbortMultipartUploadCommand({ ...objectOf(bucket, first), UploadId: state })),
        );
        await uploads.removeTails(first);
      }
      for (const key of [first, ...others])
        await ignoringMissing(send(new DeleteObjectCommand(objectOf(bucket, key))));
    },

    async endStrays(begunBefore, known) {
      for (const { Key, UploadId = '', Initiated } of await uploads.listUploads())
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

    close: connection.close,
  };
}

/** Returns a signal that is aborted `milliseconds` after `signal`. */
function abortLater(signal: AbortSignal, milliseconds: number): AbortSignal {
  const later = new AbortController();
  const begin = () => setTimeout(() => later.abort(), milliseconds).unref();
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return later.signal;
}
