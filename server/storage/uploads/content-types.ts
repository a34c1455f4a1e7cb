import { type FileKind, isDeclaredAs, storageMessages } from '#contract/storage.ts';
import { lazily } from '#server/concurrency.ts';
import { AppError } from '#server/http/errors.ts';
import { createFrameCounter } from '../files/mpeg-frames.ts';

/** Loads the package at the first upload, so that the server starts faster. */
const loadFileType = lazily(() => import('file-type'));

/** The type of a file depends on this many bytes at its start. */
export const sniffedBytes = 64 * 1024;

const pictureTypes = { jpg: 'image/jpeg', png: 'image/png', apng: 'image/png', webp: 'image/webp' };

/** Maps the formats of contents to the types under which files are served. */
const servedTypes: Record<FileKind, Record<string, string>> = {
  'profile-picture': pictureTypes,
  image: { ...pictureTypes, avif: 'image/avif' },
  audio: {
    mp3: 'audio/mpeg',
    aac: 'audio/aac',
    m4a: 'audio/mp4',
    m4b: 'audio/mp4',
    // Phones record audio in a video container without a video track.
    mp4: 'audio/mp4',
    oga: 'audio/ogg',
    ogg: 'audio/ogg',
    opus: 'audio/ogg',
    wav: 'audio/wav',
  },
};

/**
 * Returns the type under which a file is served. The file's first bytes decide it, not the declared type.
 * @param declared the type from the browser
 * @throws AppError `request/unsupported-type` when the content is not allowed, or when the declared type is
 * of another kind
 */
export async function requireType(
  start: Uint8Array,
  { path, kind, declared }: { path: string; kind: FileKind; declared: string },
): Promise<string> {
  const format = await findFormat(start, kind);
  const served = format && servedTypes[kind][format];
  if (served && isDeclaredAs(kind, declared)) return served;
  const foundFormat = format?.toUpperCase();
  const message = storageMessages.unsupportedType(path, { found: foundFormat, declared });
  throw new AppError('request/unsupported-type', { message, foundFormat });
}

async function findFormat(start: Uint8Array, kind: FileKind): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await loadFileType();
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  if (found || kind !== 'audio') return found?.ext;
  // The package does not find an MP3 that begins in the middle of a frame, as recordings of streams do, or
  // that has empty bytes after its tag.
  const counter = createFrameCounter();
  counter.add(start);
  return counter.end().frames >= 3 ? 'mp3' : undefined;
}
