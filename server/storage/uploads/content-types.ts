import { type FileKind, storageMessages } from '#contract/storage.ts';
import { lazily } from '#server/concurrency.ts';
import { AppError } from '#server/http/errors.ts';

/** Loads the package at the first upload, so that the server starts faster. */
const loadFileType = lazily(() => import('file-type'));

/** The type of a file depends on this many bytes at its start. */
export const sniffedBytes = 64 * 1024;

/** Maps the detected types to the types under which files are served. */
const servedTypes: Record<FileKind, Record<string, string>> = {
  // AVIF is not allowed: every user can upload a profile picture, and AVIF takes the longest to decode.
  'profile-picture': {
    'image/jpeg': 'image/jpeg',
    'image/png': 'image/png',
    'image/webp': 'image/webp',
  },
  image: {
    'image/jpeg': 'image/jpeg',
    'image/png': 'image/png',
    'image/webp': 'image/webp',
    'image/avif': 'image/avif',
  },
  audio: {
    'audio/mpeg': 'audio/mpeg',
    'audio/aac': 'audio/aac',
    'audio/x-m4a': 'audio/mp4',
    'audio/mp4': 'audio/mp4',
    // Phones record audio in a video container without a video track.
    'video/mp4': 'audio/mp4',
    'audio/ogg': 'audio/ogg',
    'audio/ogg; codecs=opus': 'audio/ogg',
    'audio/wav': 'audio/wav',
  },
};

/** Other names that browsers and systems use for the same types. */
const aliases: Record<string, string> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'audio/mp3': 'audio/mpeg',
  'audio/x-mp3': 'audio/mpeg',
  'audio/x-mpeg': 'audio/mpeg',
  'audio/m4a': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/x-aac': 'audio/aac',
  'audio/aacp': 'audio/aac',
  'audio/opus': 'audio/ogg',
  'application/ogg': 'audio/ogg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
};

/**
 * Returns the type under which a file is served. The file's first bytes decide it, not the declared type.
 * @param declared the type from the browser; an empty one is ignored
 * @throws AppError `request/unsupported-type` when the content is not allowed, or differs from the declared
 * type
 */
export async function requireType(
  start: Uint8Array,
  { path, kind, declared }: { path: string; kind: FileKind; declared: string },
): Promise<string> {
  const allowed = servedTypes[kind];
  const { fileTypeFromBuffer } = await loadFileType();
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  const served = found && allowed[found.mime];
  const [bare = ''] = declared.toLowerCase().split(';');
  const said = aliases[bare.trim()] ?? bare.trim();
  if (served === undefined || (said !== '' && said !== served)) {
    const types = [...new Set(Object.values(allowed))];
    throw new AppError('request/unsupported-type', { message: storageMessages.unsupportedType(path, types) });
  }
  return served;
}
