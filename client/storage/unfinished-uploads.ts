import * as z from 'zod/mini';
import type { UploadDevice } from './device.ts';

/** An upload that has started: the URL path that receives its bytes, and the path of its file. */
const unfinishedUpload = z.object({ url: z.string(), path: z.string() });
export type UnfinishedUpload = z.infer<typeof unfinishedUpload>;

export type UnfinishedUploads = ReturnType<typeof createUnfinishedUploads>;

/** Stores the unfinished uploads of this device, by file and folder. */
export function createUnfinishedUploads(memory: UploadDevice['memory']) {
  return {
    find(folder: string, file: Blob): UnfinishedUpload | undefined {
      try {
        const found = unfinishedUpload.safeParse(JSON.parse(memory.get(keyOf(folder, file)) ?? 'null'));
        return found.data;
      } catch {
        return undefined;
      }
    },
    /** @param since when the upload was created, in epoch milliseconds */
    keep(folder: string, file: Blob, upload: UnfinishedUpload, since: number) {
      memory.set(keyOf(folder, file), JSON.stringify(upload), since);
    },
    forget(folder: string, file: Blob) {
      memory.delete(keyOf(folder, file));
    },
  };
}

/**
 * Returns the storage key of an upload of `file` to `folder`. If the user chooses the same file again for the
 * same folder, the key is the same. The key does not depend on the file's content.
 */
function keyOf(folder: string, file: Blob): string {
  const { name = '', lastModified = 0 } = file as Partial<File>;
  return `upload ${JSON.stringify([folder, name, file.size, lastModified])}`;
}

/** Returns the folder of a path: `postAudios/mind` for `postAudios/mind/abc`. */
export const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'));
