import * as z from 'zod/mini';
import { axes } from './axes.ts';

/** Every code that a storage error can have, as the specification lists them. */
export const storageErrorCodes = [
  'unknown',
  'object-not-found',
  'bucket-not-found',
  'project-not-found',
  'quota-exceeded',
  'unauthenticated',
  'unauthorized',
  'unauthorized-app',
  'retry-limit-exceeded',
  'invalid-checksum',
  'canceled',
  'invalid-event-name',
  'invalid-url',
  'invalid-default-bucket',
  'no-default-bucket',
  'cannot-slice-blob',
  'server-file-wrong-size',
  'no-download-url',
  'invalid-argument',
  'invalid-argument-count',
  'app-deleted',
  'invalid-root-operation',
  'invalid-format',
  'internal-error',
  'unsupported-environment',
] as const;
export type StorageErrorCode = (typeof storageErrorCodes)[number];

/** The purpose of a file. It decides who may write the file, its allowed types and its maximum size. */
export type FileKind = 'image' | 'audio' | 'profile-picture';

/**
 * The formats of each kind of file, as users know them, and the types that browsers name for files of this
 * kind. Browsers take the type from the file's name, so that the same file has many types. The server decides
 * by the content.
 */
export const uploadFormats: Record<FileKind, { names: string; declared: RegExp }> = {
  image: { names: 'JPEG, PNG, WebP ou AVIF', declared: /^image\// },
  // AVIF is missing: every user can upload a profile picture, and AVIF takes the longest to decode.
  'profile-picture': { names: 'JPEG, PNG ou WebP', declared: /^image\// },
  audio: {
    names: 'MP3, M4A, AAC, OGG ou WAV',
    declared: /^(?:audio|video)\/|^application\/(?:x-)?(?:ogg|mp4)$/,
  },
};

/** True if a browser can name this type for a file of this kind. Unknown types are allowed. */
export function isDeclaredAs(kind: FileKind, type: string): boolean {
  const bare = type.toLowerCase().replace(/;.*/, '').trim();
  return bare === '' || bare === 'application/octet-stream' || uploadFormats[kind].declared.test(bare);
}

const axis = axes.join('|');
/** The paths of the files in the site's content start with this folder. */
export const siteFolder = 'site/';
const id = '[A-Za-z0-9_-]{1,64}';

/**
 * The allowed paths of files: `postImages/{axis}/theory/{id}`, `postImages/{axis}/{id}`,
 * `postAudios/{axis}/{id}`, `profilePics/{uid}/{id}`, `site/portrait/{id}`, `site/profile/{id}`,
 * `site/audio/{id}`; `moodImages/{uid}/{id}` and `moodAudios/{uid}/{id}`, which only an import writes.
 */
const patterns: readonly [FileKind, RegExp][] = [
  ['image', new RegExp(`^postImages/(?:${axis})/(?:theory/)?${id}$`)],
  ['audio', new RegExp(`^postAudios/(?:${axis})/${id}$`)],
  ['image', new RegExp(`^${siteFolder}(?:portrait|profile)/${id}$`)],
  ['audio', new RegExp(`^${siteFolder}audio/${id}$`)],
  ['profile-picture', new RegExp(`^profilePics/${id}/${id}$`)],
  ['image', new RegExp(`^moodImages/${id}/${id}$`)],
  ['audio', new RegExp(`^moodAudios/${id}/${id}$`)],
];

/** The kind of file at `path`; `undefined` when the path is not allowed. */
export const kindOfFile = (path: string): FileKind | undefined =>
  patterns.find(([, pattern]) => pattern.test(path))?.[0];

/** The id of the user to whom a file belongs; `undefined` for files of the library and of the site. */
export const ownerOfFile = (path: string): string | undefined =>
  /^(?:profilePics|moodImages|moodAudios)\/([^/]+)\//.exec(path)?.[1];

/** SHA-256 of a whole file, base64. */
const sha256 = z.string().check(z.regex(/^[A-Za-z0-9+/]{43}=$/));

/** The metadata of an upload: the multipart part `metadata`, or the tus header `Upload-Metadata`. */
export const uploadMetadata = z.strictObject({
  path: z.string().check(z.maxLength(300)),
  /** The type that the browser reports; it can be empty. `isDeclaredAs` says what the server accepts. */
  contentType: z.string().check(z.maxLength(200), z.regex(/^[ -~]*$/)),
  /** Required in a multipart request; a resumable upload sends it with the last chunk, in `Repr-Digest`. */
  sha256: z.optional(sha256),
});
export type UploadMetadata = z.infer<typeof uploadMetadata>;

/** Metadata of a stored file. Times are epoch milliseconds. */
export const fileMetadata = z.object({
  path: z.string(),
  sizeBytes: z.number(),
  contentType: z.string(),
  sha256,
  createdAt: z.number(),
  /** Images only: the width in pixels, after the rotation that the camera recorded. */
  width: z.optional(z.number()),
  height: z.optional(z.number()),
});
export type FileMetadata = z.infer<typeof fileMetadata>;

/**
 * The English messages of storage responses, for the console and the log. The specification gives the first
 * three.
 */
export const storageMessages = {
  unauthenticated:
    "User is not authenticated, please authenticate using the provider's authentication and try again.",
  unauthorized: (path: string) => `User does not have permission to access '${path}'.`,
  objectNotFound: (path: string) => `Object '${path}' does not exist.`,
  unauthorizedApp:
    'This app is not allowed to use the file service: its app-check token is missing or invalid.',
  quotaExceeded: (path: string) => `The storage quota is too small for '${path}'.`,
  accountQuotaExceeded: (path: string) => `The storage quota of the account is too small for '${path}'.`,
  invalidChecksum: (path: string) => `The SHA-256 of '${path}' differs from the one that was sent.`,
  tooLarge: (path: string, limitBytes: number) => `'${path}' may have at most ${limitBytes} bytes.`,
  tooManyPixels: (path: string, limitPixels: number) => `'${path}' may have at most ${limitPixels} pixels.`,
  unsupportedType: (path: string, { found, declared }: { found: string | undefined; declared: string }) =>
    `The content of '${path}' is ${found ?? 'of an unknown type'}, declared as '${declared}': not allowed here.`,
  incompleteFile: (path: string) => `The picture '${path}' is incomplete or damaged.`,
  objectInUse: (path: string) => `The site's draft or one of its latest versions names '${path}'.`,
  offsetConflict: (path: string, offsetBytes: number) =>
    `The upload of '${path}' continues at byte ${offsetBytes}.`,
} as const;

/**
 * The URL of a file: `/files/<path>?token=…`, without an origin. With the token, any visitor can read the
 * file.
 */
export const downloadUrl = z.object({ url: z.string() });

/** The maximum size in bytes of each kind of file, as configured on the server. */
const sizeLimits = z.object({ image: z.number(), audio: z.number(), 'profile-picture': z.number() });
export type SizeLimits = z.infer<typeof sizeLimits>;

/** A bearer token for the file service. It expires soon, and at the latest with its session. */
export const storageBearer = z.object({ token: z.string(), expiresAt: z.number(), sizeLimits });
export type StorageBearerResponse = z.infer<typeof storageBearer>;

/** The tus version of resumable uploads, sent in `Tus-Resumable`. */
export const tusVersion = '1.0.0';

/** The content type of a tus PATCH request. */
export const tusContentType = 'application/offset+octet-stream';

/**
 * Formats the digest of a whole file as RFC 9530 defines it. The request that completes an upload sends it
 * in `Repr-Digest`.
 */
export const reprDigest = (sha256OfFile: string) => `sha-256=:${sha256OfFile}:`;
