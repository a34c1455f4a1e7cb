import { type ErrorCode, errorBody, errorMessages } from '#contract/errors.ts';
import { type StorageErrorCode, storageErrorCodes } from '#contract/storage.ts';
import { ClientError } from '../client-error.ts';

export type StorageErrorDetails = {
  /** HTTP status; 0 when there was no response. */
  status?: number;
  /** The server's code, which can be more precise than `code`, for example `server/storage-full`. */
  serverCode?: ErrorCode | undefined;
  /** The format of a content that the server refuses, for example `GIF`. */
  foundFormat?: string | undefined;
  requestId?: string;
  cause?: unknown;
};

/** Thrown by the storage client. `message` is English, for the log; `sentenceOf` is for the user. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;
  /** The path of the file. */
  readonly path: string;
  readonly status: number;
  readonly serverCode: ErrorCode | undefined;
  readonly foundFormat: string | undefined;
  readonly requestId: string;

  constructor(code: StorageErrorCode, path: string, details: StorageErrorDetails = {}) {
    super(messages[code](path), { cause: details.cause });
    this.name = 'StorageError';
    this.code = code;
    this.path = path;
    this.status = details.status ?? 0;
    this.serverCode = details.serverCode;
    this.foundFormat = details.foundFormat;
    this.requestId = details.requestId ?? '';
  }
}

/** True if a retry can help: there was no response, or the status is temporary. */
export const isRetried = (error: StorageError): boolean =>
  error.status >= 500 || error.status === 408 || error.status === 429 || isNoResponse(error);

/** The `cause` of an error without a response: no network, a broken connection or a silent server. */
class NoResponse extends Error {
  override name = 'NoResponse';
}

export const isNoResponse = (error: unknown): boolean =>
  error instanceof StorageError && error.cause instanceof NoResponse;

/** Returns the error for a request that received no response. */
export const noResponse = (path: string, cause?: unknown) =>
  new StorageError('unknown', path, { cause: new NoResponse('The server sent no response.', { cause }) });

/** Builds the error for a response with a status of 400 or more. @param body the text of the response */
export function errorOfResponse(status: number, body: string, path: string): StorageError {
  const parsed = errorBody.safeParse(readJson(body));
  // A proxy may respond with its own page, which is not an error body of the API.
  if (!parsed.success) return new StorageError(errorCodeOf(status, undefined), path, { status });
  const { code: serverCode, foundFormat, requestId } = parsed.data;
  const details = { status, serverCode, foundFormat, requestId };
  return new StorageError(errorCodeOf(status, serverCode), path, details);
}

/**
 * Converts an error of the sign-in service, which issues the file service's tokens, to a `StorageError`.
 * Returns `client/code-missing` and errors that are not a ClientError unchanged.
 */
export function errorOfSignIn(error: unknown, path: string): unknown {
  if (!(error instanceof ClientError) || error.code === 'client/code-missing') return error;
  if (error.code === 'client/offline') return noResponse(path, error);
  const { status, requestId } = error;
  const serverCode = error.code in errorMessages ? (error.code as ErrorCode) : undefined;
  const details = { status, requestId, serverCode, cause: error };
  const code = serverCode === 'auth/app-check-failed' ? 'unauthorized-app' : errorCodeOf(status, serverCode);
  return new StorageError(code, path, details);
}

/** Returns the storage code that the server names; without one, the specification's code for the status. */
function errorCodeOf(status: number, serverCode: ErrorCode | undefined): StorageErrorCode {
  const named = storageErrorCodes.find((code) => serverCode === `storage/${code}`);
  return named ?? codesByStatus[status] ?? 'unknown';
}

const codesByStatus: Record<number, StorageErrorCode> = {
  401: 'unauthenticated',
  402: 'quota-exceeded',
  403: 'unauthorized',
  404: 'object-not-found',
};

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The specification gives the messages for 401, 403 and 404 word for word. */
const messages: Record<StorageErrorCode, (path: string) => string> = {
  unknown: (path) => `Something unexpected happened to '${path}'.`,
  'object-not-found': (path) => `Object '${path}' does not exist.`,
  'bucket-not-found': () => 'The bucket does not exist.',
  'project-not-found': () => 'The project does not exist.',
  'quota-exceeded': (path) => `The storage quota is too small for '${path}'.`,
  unauthenticated: () =>
    "User is not authenticated, please authenticate using the provider's authentication and try again.",
  unauthorized: (path) => `User does not have permission to access '${path}'.`,
  'unauthorized-app': (path) => `The app check refused the request for '${path}'.`,
  'retry-limit-exceeded': (path) => `All attempts for '${path}' failed within the time for retries.`,
  'invalid-checksum': (path) => `The checksum of '${path}' at the server differs from the one that was sent.`,
  canceled: (path) => `The upload of '${path}' was cancelled.`,
  'invalid-event-name': () => 'No event has this name.',
  'invalid-url': (path) => `The server responded with a URL for '${path}' that is not one of its own.`,
  'invalid-default-bucket': () => 'The default bucket is not valid.',
  'no-default-bucket': () => 'There is no default bucket.',
  'cannot-slice-blob': (path) => `The file for '${path}' can no longer be read.`,
  'server-file-wrong-size': (path) =>
    `The size of '${path}' at the server differs from the number of bytes sent.`,
  'no-download-url': (path) => `The server gave no download URL for '${path}'.`,
  'invalid-argument': (path) => `'${path}' is not a valid path of a file, or the upload is not a file.`,
  'invalid-argument-count': () => 'The number of arguments is wrong.',
  'app-deleted': () => 'The app was deleted.',
  'invalid-root-operation': () => 'This operation is not allowed on the root; pass the path of a file.',
  'invalid-format': () => 'The text does not have the declared format.',
  'internal-error': (path) => `The response about '${path}' is not valid.`,
  'unsupported-environment': () => 'This environment lacks functions that uploads need.',
};
