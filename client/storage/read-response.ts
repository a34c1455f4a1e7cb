import * as z from 'zod/mini';
import { downloadUrl, type FileMetadata, fileMetadata } from '#contract/storage.ts';
import type { DeviceResponse } from './device.ts';
import { StorageError } from './storage-error.ts';

/** @throws StorageError `internal-error` when the response does not match the schema */
export function readMetadata({ text }: DeviceResponse, path: string): FileMetadata {
  return read(fileMetadata, text) ?? fail('internal-error', path);
}

/** @throws StorageError `no-download-url` when the response contains no URL */
export function readDownloadUrl({ text }: DeviceResponse, path: string): string {
  return read(downloadUrl, text)?.url || fail('no-download-url', path);
}

function read<T>(schema: z.ZodMiniType<T>, text: string): T | undefined {
  try {
    return z.safeParse(schema, JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function fail(code: 'internal-error' | 'no-download-url', path: string): never {
  throw new StorageError(code, path);
}
