import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  NoSuchKey,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { S3Settings } from '../environment-values.ts';
import { type BackupStore, measured, ObjectMissing } from './backup-store.ts';

/** S3 allows at most 10,000 parts: an object can have 78 GiB. */
const partBytes = 8 * 1024 * 1024;
const connectTimeoutMs = 5_000;
const requestTimeoutMs = 60_000;
const attempts = 4;

/** Opens a bucket for backups. It may have no other objects. */
export function openS3BackupStore({ bucket, ...settings }: S3Settings): BackupStore {
  const client = new S3Client({
    endpoint: settings.endpoint,
    region: settings.region,
    credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
    forcePathStyle: true,
    // The SDK sends checksums by default, and some stores other than Amazon's refuse them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: attempts,
    requestHandler: { connectionTimeout: connectTimeoutMs, requestTimeout: requestTimeoutMs },
  });
  const objectOf = (name: string) => ({ Bucket: bucket, Key: name });

  return {
    place: `${settings.endpoint}/${bucket}`,

    async list(prefix) {
      const sizes = new Map<string, number>();
      let token: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
        );
        for (const { Key, Size } of page.Contents ?? []) sizes.set(Key ?? '', Size ?? 0);
        token = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (token !== undefined);
      return sizes;
    },

    async write(name, content) {
      const stored = { bytes: 0, sha256: '' };
      const upload = new Upload({
        client,
        params: { ...objectOf(name), Body: Readable.from(measured(content, stored)) },
        partSize: partBytes,
        queueSize: 1,
      });
      await upload.done();
      return stored;
    },

    async read(name) {
      const { Body } = await client.send(new GetObjectCommand(objectOf(name))).catch((cause: unknown) => {
        throw cause instanceof NoSuchKey ? new ObjectMissing(name, { cause }) : cause;
      });
      return Body as Readable;
    },

    async remove(names) {
      for (const name of names) await client.send(new DeleteObjectCommand(objectOf(name)));
    },

    async removeUnfinished() {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
      for (const { Key, UploadId } of Uploads)
        await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
    },
  };
}
