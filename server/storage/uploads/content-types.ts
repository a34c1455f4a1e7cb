import { type FileKind, storageMessages } from '#contract/storage.ts';
import { AppError } from '#server/http/errors.ts';
import { lazily } from '#server/lazily.ts';

/** With the first file, not with every start. */
const loadFileType = lazily(() => import('file-type'));

/** How much of the beginning of a file is looked at. */
export const sniffedBytes = 64 * 1024;

/** Under which types what is found in a file is served. */
const servedTypes: Record<FileKind, Record<string, string>> = {
  // Everyone with an account may send one, and decoding AVIF costs the most.
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
    // How telephones record: the container of a film, with nothing in it but sound.
    'video/mp4': 'audio/mp4',
    'audio/ogg': 'audio/ogg',
    'audio/ogg; codecs=opus': 'audio/ogg',
    'audio/wav': 'audio/wav',
  },
};

/** What browsers and systems call the same types. */
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
 * The type that a file is served under: decided by its first bytes, never by what was said.
 * @param declared as the browser named it; an empty one says nothing
 * @throws AppError `request/unsupported-type` when the content is not allowed, or not what was declared
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
