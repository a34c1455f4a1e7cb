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
import { StartError } from '../../environment.ts';
import type { S3Settings } from '../../environment-values.ts';
import { s3ClientSettings } from '../../storage/store/s3-connection.ts';
import { type BackupStore, measured, ObjectMissing, objectFolders } from './backup-store.ts';

/** S3 allows at most 10,000 parts, so an object can be up to 78 GiB large. */
const partBytes = 8 * 1024 * 1024;
const connectTimeoutMs = 5_000;
const requestTimeoutMs = 60_000;
const attempts = 4;

/**
 * Opens a bucket for backups. It never removes the bucket's other objects, such as files of the site and
 * their uploads.
 */
export function openS3BackupStore({ bucket, ...settings }: S3Settings): BackupStore {
  const client = new S3Client({
    ...s3ClientSettings(settings),
    maxAttempts: attempts,
    requestHandler: { connectionTimeout: connectTimeoutMs, requestTimeout: requestTimeoutMs },
  });
  const destination = `${settings.endpoint}/${bucket}`;
  const objectOf = (name: string) => ({ Bucket: bucket, Key: name });
  const send: S3Client['send'] = ((command: Parameters<S3Client['send']>[0]) =>
    client.send(command).catch((cause: unknown) => {
      throw withSentence(destination, cause);
    })) as S3Client['send'];

  return {
    destination,

    async check() {
      await send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 }));
    },

    async list(prefix, found) {
      const sizes = new Map<string, number>();
      let token: string | undefined;
      do {
        const page = await send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }),
        );
        for (const { Key, Size } of page.Contents ?? []) sizes.set(Key ?? '', Size ?? 0);
        found?.(sizes.size);
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
      await upload.done().catch((cause: unknown) => {
        throw withSentence(destination, cause);
      });
      return stored;
    },

    async read(name) {
      const { Body } = await send(new GetObjectCommand(objectOf(name))).catch((cause: unknown) => {
        throw cause instanceof NoSuchKey ? new ObjectMissing(name, { cause }) : cause;
      });
      return Body as Readable;
    },

    async remove(names) {
      for (const name of names) await send(new DeleteObjectCommand(objectOf(name)));
    },

    async removeUnfinished() {
      for (const Prefix of objectFolders) {
        const { Uploads = [] } = await send(new ListMultipartUploadsCommand({ Bucket: bucket, Prefix }));
        for (const { Key, UploadId } of Uploads)
          await send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }));
      }
    },
  };
}

/**
 * Turns an error of the bucket or of the network into a StartError that explains it. Returns other errors,
 * such as those of the content, unchanged.
 */
function withSentence(destination: string, cause: unknown): unknown {
  const { name = '', code, $metadata } = cause as { name?: string; code?: string; $metadata?: unknown };
  if (cause instanceof NoSuchKey || ($metadata === undefined && code === undefined)) return cause;
  return new StartError(
    `O bucket dos backups, ${destination}, não respondeu ou recusou o acesso (${code ?? name}). Confira BACKUP_S3_* e tente de novo.`,
    { cause },
  );
}
