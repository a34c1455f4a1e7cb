import { paths } from '#contract/paths.ts';
import { storageBearer } from '#contract/storage.ts';
import type { AppCheckHeaders } from '../app-check.ts';
import type { Send } from '../http.ts';
import type { Answer, DeviceRequest, UploadDevice } from './device.ts';
import { errorOfAnswer, errorOfSignIn, noAnswer, StorageError } from './storage-error.ts';

/** A bearer with less time than this left is not used any more. */
const renewBeforeMs = 45_000;

export type StorageRequest = {
  method: DeviceRequest['method'];
  /** Path of the file concerned, for errors. */
  path: string;
  /** Address at the file service, without its origin. */
  address: string;
  headers?: Record<string, string>;
  body?: DeviceRequest['body'];
  signal: AbortSignal;
  /** After how many milliseconds without an answer the request counts as lost; without a limit when absent. */
  timeoutMs?: number;
  onProgress?: DeviceRequest['onProgress'];
  /** The tokens that go with it: all calls of one resumable upload share theirs. */
  pass?: Pass;
};

/**
 * The tokens of one upload or of one call, got when first asked for: they are those of whoever is signed in then,
 * and nobody's who signs in later.
 */
export type Pass = {
  headers(): Promise<Record<string, string>>;
  /** Tokens end with time and with the server's keys: the refused one is got anew. */
  renew(refused: 'bearer' | 'app-check'): void;
};

/** Sends one request with its tokens. @throws StorageError for answers of 400 or more, and when none came */
export type Ask = (request: StorageRequest) => Promise<Answer>;

/**
 * @param baseUrl where the file service listens; empty for the page's own origin
 * @param sendAuth reaches the sign-in service, which hands out bearers
 */
export function createAsk(baseUrl: string, device: UploadDevice, sendAuth: Send, appCheck: AppCheckHeaders) {
  function createPass(): Pass {
    let bearer: { token: string; expiresAt: number } | undefined;
    let check: Record<string, string> | undefined;
    return {
      async headers() {
        if (!bearer || bearer.expiresAt - Date.now() < renewBeforeMs)
          bearer = storageBearer.parse(await (await sendAuth(paths.auth.storageBearer)).json());
        check ??= await appCheck();
        return { authorization: `Bearer ${bearer.token}`, ...check };
      },
      renew(refused) {
        if (refused === 'bearer') bearer = undefined;
        else check = undefined;
      },
    };
  }

  async function askOnce(request: StorageRequest, pass: Pass): Promise<Answer> {
    const { method, path, address, headers, body = null, signal, timeoutMs, onProgress } = request;
    let tokens: Record<string, string>;
    try {
      tokens = await pass.headers();
    } catch (error) {
      throw errorOfSignIn(error, path);
    }
    signal.throwIfAborted();
    let answer: Answer;
    try {
      answer = await device.send({
        method,
        url: baseUrl + address,
        headers: { ...headers, ...tokens },
        body,
        signal: timeoutMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        onProgress,
      });
    } catch (cause) {
      signal.throwIfAborted();
      throw noAnswer(path, cause);
    }
    if (answer.status >= 400) throw errorOfAnswer(answer.status, answer.text, path);
    return answer;
  }

  const ask: Ask = async (request) => {
    const pass = request.pass ?? createPass();
    try {
      return await askOnce(request, pass);
    } catch (error) {
      if (!isRefusedToken(error)) throw error;
      pass.renew(error.code === 'unauthorized-app' ? 'app-check' : 'bearer');
      // The app-check token of a single call was spent with the first try.
      if (!request.pass) pass.renew('app-check');
      return askOnce(request, pass);
    }
  };
  return { ask, createPass };
}

/** Whether the file service itself refused a token; that nobody is signed in, the sign-in service tells. */
const isRefusedToken = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.status === 401 && error.cause === undefined;
