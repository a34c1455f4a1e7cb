import { ClientError, type ClientErrorCode } from '#client/client-error.ts';

/** For `assert.rejects`: true if the error is a ClientError with this code. */
export const refusedWith = (code: ClientErrorCode) => (error: unknown) =>
  error instanceof ClientError && error.code === code;
