import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorBody, type ErrorCode, errorMessages, type FieldIssue } from '#contract/errors.ts';
import { isDatabaseAway } from '../database/away.ts';
import { DataReplaced } from '../database/installation/data-folder.ts';
import { sqliteCodeOf, sqliteCodes } from '../database/sqlite-codes.ts';

const statuses: Record<ErrorCode, number> = {
  'request/invalid': 400,
  'request/malformed': 400,
  'request/too-large': 413,
  'request/path-too-long': 414,
  'request/unsupported-type': 415,
  'request/not-found': 404,
  'request/foreign-origin': 403,
  'request/precondition-required': 428,
  'auth/unauthenticated': 401,
  'auth/forbidden': 403,
  'auth/invalid-credentials': 401,
  'auth/wrong-password': 403,
  'auth/sign-in-again': 403,
  'auth/wrong-passkey': 403,
  'auth/wrong-code': 403,
  'auth/second-factor-unreadable': 409,
  'auth/email-not-verified': 403,
  'auth/choose-password': 403,
  'auth/other-account': 409,
  'auth/other-user': 409,
  'auth/email-taken': 409,
  'auth/invalid-link': 400,
  'auth/already-has-admin': 409,
  'auth/app-check-failed': 403,
  'auth/too-many-attempts': 429,
  'auth/last-admin': 409,
  'auth/strong-session-required': 403,
  'documents/not-found': 404,
  'documents/conflict': 409,
  'documents/precondition-failed': 412,
  'documents/too-many-favourites': 409,
  'newsletter/already-sent': 409,
  'newsletter/no-subscribers': 409,
  'documents/too-many-diary-entries': 409,
  'documents/diary-consent-missing': 409,
  'documents/diary-entry-full': 409,
  'documents/diary-entry-unreadable': 409,
  'documents/clinician-not-ready': 409,
  'documents/crm-taken': 409,
  'documents/clinician-unavailable': 409,
  'documents/consent-changed': 409,
  'documents/too-many-shares': 409,
  'documents/note-changed': 409,
  'documents/too-many-notes': 409,
  'documents/too-many-assignments': 409,
  'documents/reminder-email-unverified': 409,
  'site/not-publishable': 422,
  'storage/unauthenticated': 401,
  'storage/unauthorized-app': 401,
  'storage/unauthorized': 403,
  'storage/object-not-found': 404,
  'storage/object-in-use': 409,
  'storage/quota-exceeded': 402,
  'storage/account-quota-exceeded': 402,
  'storage/invalid-argument': 400,
  'storage/invalid-checksum': 400,
  'storage/incomplete-file': 415,
  'storage/unsupported-version': 412,
  'storage/range-not-satisfiable': 416,
  'storage/offset-conflict': 409,
  'server/unavailable': 503,
  'server/storage-full': 507,
  unexpected: 500,
};

const busyRetrySeconds = 5;
const jsonType = 'application/json; charset=utf-8';

/** An error with a code of the contract. The code determines the HTTP status and the default message. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly issues: FieldIssue[] | undefined;
  readonly foundFormat: string | undefined;
  readonly current: unknown;
  readonly changedBy: { name: string } | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    details: {
      message?: string;
      issues?: FieldIssue[];
      foundFormat?: string | undefined;
      current?: unknown;
      changedBy?: { name: string } | undefined;
      retryAfterSeconds?: number;
      cause?: unknown;
    } = {},
  ) {
    super(details.message ?? errorMessages[code], { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.issues = details.issues;
    this.foundFormat = details.foundFormat;
    this.current = details.current;
    this.changedBy = details.changedBy;
    this.retryAfterSeconds =
      details.retryAfterSeconds ?? (statuses[code] === 503 ? busyRetrySeconds : undefined);
  }
}

/** Responses with these statuses can be signs of an attack. The log has their codes. */
const worthNoting = new Set([401, 403, 429]);

/** Sends every error, and a 404 for an unknown path, as an `ErrorBody` of the contract. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(() => {
    throw new AppError('request/not-found');
  });
}

/** Sends an error, and logs unknown errors in full. */
function sendError(error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = error instanceof AppError ? error : new AppError(codeOf(error), { cause: error });
  const status = statuses[refusal.code];
  // An overloaded server sends many 503 responses, whose errors have no cause. Logging a stack for each would
  // add load.
  if (status === 503 && refusal.cause === undefined) request.log.debug({ code: refusal.code }, 'refused');
  else if (status >= 500) request.log.error({ err: error }, refusal.code);
  else if (worthNoting.has(status)) request.refusal = refusal.code;
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
  const body: ErrorBody = {
    code: refusal.code,
    message: refusal.message,
    requestId: request.id,
    ...(refusal.issues && { issues: refusal.issues }),
    ...(refusal.foundFormat !== undefined && { foundFormat: refusal.foundFormat }),
    ...(refusal.current !== undefined && { current: refusal.current }),
    ...(refusal.changedBy && { changedBy: refusal.changedBy }),
  };
  // Sets the content type again: if a stream fails before its first byte, the response still has the type of
  // the stream.
  return reply.code(status).type(jsonType).header('cache-control', 'no-store').send(body);
}

type AnyError = Partial<FastifyError>;

/** Returns the contract's code for an error of Fastify, the database or the disk. */
function codeOf(error: AnyError): ErrorCode {
  if (error instanceof DataReplaced) return 'server/unavailable';
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return 'request/too-large';
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_TYPE':
      return 'request/unsupported-type';
    // The file store's stream, or its connection, ended before the first byte.
    case 'ERR_STREAM_PREMATURE_CLOSE':
    case 'ECONNRESET':
      return 'server/unavailable';
    default:
  }
  const failure = failureOf(error);
  if (failure) return failure;
  const status = error.statusCode ?? 500;
  return status >= 400 && status < 500 ? 'request/malformed' : 'unexpected';
}

/**
 * Returns the code for a failure of the disk or the database, also if the failure is the cause of `error`.
 */
export function failureOf(error: unknown): ErrorCode | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '' } = error as AnyError;
  const sqlite = sqliteCodeOf(error);
  if (noSpace.has(code) || sqlite === sqliteCodes.full) return 'server/storage-full';
  if (diskFailures.has(code) || sqliteFailures.has(sqlite) || isDatabaseAway(error))
    return 'server/unavailable';
  return failureOf(error.cause);
}

/** Codes of errors for lack of space. The last one is PostgreSQL's disk_full. */
const noSpace = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', '53100']);
/** Codes of errors that mean that the disk is read-only, damaged or gone, or that too many files are open. */
const diskFailures = new Set(['EROFS', 'EIO', 'ENXIO', 'ENODEV', 'ESTALE', 'EMFILE', 'ENFILE']);

const sqliteFailures = new Set([
  sqliteCodes.busy,
  sqliteCodes.locked,
  sqliteCodes.readOnly,
  sqliteCodes.ioError,
  sqliteCodes.cannotOpen,
  sqliteCodes.corrupt,
  sqliteCodes.notADatabase,
]);
