import type { ErrorCode, FieldIssue } from '#contract/errors.ts';
import { unexpectedMessage } from '#contract/unexpected-message.ts';
import { isOffline } from './load-chunk.ts';

/** The server's error codes, and the error codes that only this library can produce. */
export type ClientErrorCode = ErrorCode | 'client/offline' | 'client/unreadable' | 'client/code-missing';

/**
 * Thrown by all methods of the client, except those for files, which throw a `StorageError`. `message` is in
 * Portuguese, for the user.
 */
export class ClientError extends Error {
  readonly code: ClientErrorCode;
  /** HTTP status; 0 when there was no response. */
  readonly status: number;
  readonly requestId: string;
  readonly issues: FieldIssue[];
  /** The current document on the server; set only with `documents/precondition-failed`. */
  readonly current: unknown;
  /** The user who saved the document in `current`, if the server names one. */
  readonly changedBy: { name: string } | undefined;

  constructor(
    code: ClientErrorCode,
    message: string,
    details: {
      status?: number;
      requestId?: string;
      issues?: FieldIssue[] | undefined;
      current?: unknown;
      changedBy?: { name: string } | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'ClientError';
    this.code = code;
    this.status = details.status ?? 0;
    this.requestId = details.requestId ?? '';
    this.issues = details.issues ?? [];
    this.current = details.current;
    this.changedBy = details.changedBy;
  }
}

/** True if an error is a ClientError with this code. */
export const hasCode = (error: unknown, code: ClientErrorCode): error is ClientError =>
  error instanceof ClientError && error.code === code;

/**
 * True if the server did not respond or cannot at present, or if something between, such as the sign-in page
 * of a hotel's network, responded with a page instead of JSON.
 */
export const isAway = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  (error instanceof ClientError && (error.status === 0 || error.status >= 500));

/** Returns the sentence for the user. Any error that is not a ClientError is a defect, so it is logged. */
export function messageOf(error: unknown): string {
  if (error instanceof ClientError) return error.message;
  console.error(error);
  return unexpectedMessage;
}

/** Returns the error for a call that received no response. */
export const offline = (cause: unknown) => new ClientError('client/offline', offlineSentence, { cause });

/** Says that the server did not respond. Used by pages whose headline is already "Sem conexão". */
export const unreachableSentence =
  'Não conseguimos falar com o site. Pode ser a sua internet ou um problema nosso.';
const offlineSentence = `Sem conexão. ${unreachableSentence}`;

/** The message for a user whose browser could not load code. */
export const codeMissingSentence = () =>
  isOffline()
    ? offlineSentence
    : 'Uma parte do site não carregou. Pode ser a sua internet ou um problema nosso. Tente de novo.';

/**
 * Returns the error for a call whose code could not be loaded.
 * @param cause the ChunkLoadError that names the chunk
 */
export const codeMissing = (cause: unknown) =>
  new ClientError('client/code-missing', codeMissingSentence(), { cause });
