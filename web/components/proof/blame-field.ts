import { ClientError, type ClientErrorCode } from '#client/client-error.ts';

const mistyped: ClientErrorCode[] = ['auth/wrong-password', 'auth/wrong-code'];

/** Runs a call that sends a password or a code. If either is wrong, the thrown error names `field`. */
export async function blameField<T>(field: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ClientError && mistyped.includes(error.code))) throw error;
    const { code, message, status, requestId } = error;
    const issues = [{ path: field, message }];
    throw new ClientError(code, message, { status, requestId, issues, cause: error });
  }
}
