import type { StoredFile } from './files.ts';
import { type Version, versionKey } from './pictures.ts';

/** A content in the file store that belongs to a file. */
export type FileContent = {
  key: string;
  bytes: number;
  /** The SHA-256 in Base64. It is known for originals, but not for the versions of a picture. */
  sha256: string | undefined;
};

/** Returns the contents of a file: the original, and the versions of a picture. */
export function contentsOf({
  key,
  sizeBytes,
  sha256,
  versions,
}: Pick<StoredFile, 'key' | 'sizeBytes' | 'sha256' | 'versions'>): FileContent[] {
  const sizes = Object.entries(JSON.parse(versions) as Partial<Record<Version, number>>);
  return [
    { key, bytes: sizeBytes, sha256 },
    ...sizes.map(([version, bytes]) => ({
      key: versionKey(key, version as Version),
      bytes,
      sha256: undefined,
    })),
  ];
}
