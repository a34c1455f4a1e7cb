import type { ErrorCode, FieldIssue } from '#contract/errors.ts';
import { isOffline } from './load-chunk.ts';

/** Codes of the server, and codes that only a client can produce. */
export type ClientErrorCode = ErrorCode | 'client/offline' | 'client/unreadable' | 'client/code-missing';

/** The one error that this library throws. `message` is a Portuguese sentence for the user. */
export class ClientError extends Error {
  readonly code: ClientErrorCode;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly requestId: string;
  readonly issues: FieldIssue[];
  /** With `documents/precondition-failed`: the current document on the server. */
  readonly current: unknown;
  /** The user who saved that document, if the server says so. */
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

/** The error for a call that could not be sent. */
export const offline = (cause: unknown) => new ClientError('client/offline', offlineSentence, { cause });

const offlineSentence = 'Sem conexão. Confira a internet e tente de novo.';

/** The message for a user whose browser could not load code. */
export const codeMissingSentence = () =>
  isOffline() ? offlineSentence : 'Uma parte do site não carregou. Confira a internet e tente de novo.';

/**
 * The error for a call whose code could not be loaded. @param cause the ChunkLoadError that names the chunk
 */
export const codeMissing = (cause: unknown) =>
  new ClientError('client/code-missing', codeMissingSentence(), { cause });
