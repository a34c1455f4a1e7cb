import type { ErrorCode, FieldIssue } from '#contract/errors.ts';
import { loadSchemas } from './schemas.ts';

/** Codes of the server, and the two that only a client can see. */
export type ClientErrorCode = ErrorCode | 'client/offline' | 'client/unreadable';

/** The one error that this library throws. `message` is a Portuguese sentence for the person. */
export class ClientError extends Error {
  readonly code: ClientErrorCode;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly requestId: string;
  readonly issues: FieldIssue[];
  /** With `documents/precondition-failed`: the document as it is on the server now. */
  readonly current: unknown;

  constructor(
    code: ClientErrorCode,
    message: string,
    details: {
      status?: number;
      requestId?: string;
      issues?: FieldIssue[] | undefined;
      current?: unknown;
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
  }
}

/** The error for a call that could not even be made. */
export const offline = (cause: unknown) =>
  new ClientError('client/offline', 'Sem conexão. Confira a internet e tente de novo.', { cause });

/** The error that an answer of 400 or more stands for. */
export async function errorOf(response: Response): Promise<ClientError> {
  const { errorBody, errorMessages } = await loadSchemas();
  const body = errorBody.safeParse(await response.json().catch(() => undefined));
  const status = response.status;
  // A proxy in between may answer with a page of its own; its text is of no use to a person.
  if (!body.success) return new ClientError('client/unreadable', errorMessages.unexpected, { status });
  const { code, message, requestId, issues, current } = body.data;
  return new ClientError(code, message, { status, requestId, issues, current });
}
