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
  /** The app-check token that goes with it: all calls of one resumable upload share theirs. */
  pass?: Pass;
};

/** One app-check token, got when first asked for. */
export type Pass = { headers(): Promise<Record<string, string>>; renew(): void };

/** Sends one request with its tokens. @throws StorageError for answers of 400 or more, and when none came */
export type Ask = (request: StorageRequest) => Promise<Answer>;

/**
 * @param baseUrl where the file service listens; empty for the page's own origin
 * @param sendAuth reaches the sign-in service, which hands out bearers
 */
export function createAsk(baseUrl: string, device: UploadDevice, sendAuth: Send, appCheck: AppCheckHeaders) {
  let bearer: { token: string; expiresAt: number } | undefined;

  async function getBearer(): Promise<string> {
    if (!bearer || bearer.expiresAt - Date.now() < renewBeforeMs)
      bearer = storageBearer.parse(await (await sendAuth(paths.auth.storageBearer)).json());
    return bearer.token;
  }

  const createPass = (): Pass => {
    let got: Promise<Record<string, string>> | undefined;
    const renew = () => {
      got = undefined;
    };
    return {
      headers() {
        got ??= appCheck().catch((error: unknown) => {
          renew();
          throw error;
        });
        return got;
      },
      renew,
    };
  };

  async function askOnce(request: StorageRequest, pass: Pass): Promise<Answer> {
    const { method, path, address, headers, body = null, signal, timeoutMs, onProgress } = request;
    let tokens: Record<string, string>;
    try {
      const [token, check] = await Promise.all([getBearer(), pass.headers()]);
      tokens = { authorization: `Bearer ${token}`, ...check };
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
      // Tokens end with time and with the server's keys: new ones get one chance.
      if (error.code === 'unauthorized-app') pass.renew();
      else bearer = undefined;
      // The token of a single call was spent with the first try.
      return askOnce(request, request.pass ?? createPass());
    }
  };
  return { ask, createPass };
}

/** Whether the file service itself refused a token; that nobody is signed in, the sign-in service tells. */
const isRefusedToken = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.status === 401 && error.cause === undefined;
