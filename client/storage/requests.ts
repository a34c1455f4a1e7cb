import { paths } from '#contract/paths.ts';
import { storageBearer } from '#contract/storage.ts';
import type { AppCheckHeaders } from '../app-check.ts';
import type { Send } from '../http.ts';
import type { DeviceRequest, DeviceResponse, UploadDevice } from './device.ts';
import { errorOfResponse, errorOfSignIn, noResponse, StorageError } from './storage-error.ts';

/** The client replaces a bearer token this long before the token expires. */
const renewBeforeMs = 45_000;

export type StorageRequest = {
  method: DeviceRequest['method'];
  /** The path of the file, which errors name. */
  path: string;
  /** The path and the query of the URL, without the origin of the file service. */
  url: string;
  headers?: Record<string, string>;
  body?: DeviceRequest['body'];
  signal: AbortSignal;
  /** A request counts as lost if it has no response after this time. By default, there is no time-out. */
  timeoutMs?: number;
  onProgress?: DeviceRequest['onProgress'];
  /** The tokens of the request. All requests of one resumable upload share one `Pass`. */
  pass?: Pass;
};

/**
 * The tokens of one upload or one call. The first call of `headers` fetches them. A later call fetches the
 * bearer token again if it is about to expire. A token belongs to the user who was signed in at its fetch.
 */
export type Pass = {
  headers(): Promise<Record<string, string>>;
  /**
   * Drops a token that the server has refused, so that the next call of `headers` fetches a new one. For
   * example, the token has expired, or the server has a new key.
   */
  renew(refused: 'bearer' | 'app-check'): void;
};

/**
 * Sends one request with its tokens.
 * @throws StorageError for a response with a status of 400 or more, and if there is no response
 */
export type Ask = (request: StorageRequest) => Promise<DeviceResponse>;

/**
 * Creates the function that sends requests to the file service.
 * @param baseUrl the origin of the file service; empty for the page's own origin
 * @param sendAuth sends requests to the sign-in service, which issues bearer tokens
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

  async function askOnce(request: StorageRequest, pass: Pass): Promise<DeviceResponse> {
    const { method, path, url, headers, body = null, signal, timeoutMs, onProgress } = request;
    let tokens: Record<string, string>;
    try {
      tokens = await pass.headers();
    } catch (error) {
      throw errorOfSignIn(error, path);
    }
    signal.throwIfAborted();
    const sending = new AbortController();
    const stop = () => sending.abort(signal.reason);
    signal.addEventListener('abort', stop);
    const timer = timeoutMs === undefined ? undefined : setTimeout(() => sending.abort(), timeoutMs);
    let response: DeviceResponse;
    try {
      response = await device.send({
        method,
        url: baseUrl + url,
        headers: { ...headers, ...tokens },
        body,
        signal: sending.signal,
        onProgress,
      });
    } catch (cause) {
      signal.throwIfAborted();
      throw noResponse(path, cause);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
    if (response.status >= 400) throw errorOfResponse(response.status, response.text, path);
    return response;
  }

  const ask: Ask = async (request) => {
    const pass = request.pass ?? createPass();
    try {
      return await askOnce(request, pass);
    } catch (error) {
      if (!isRefusedToken(error)) throw error;
      pass.renew(error.code === 'unauthorized-app' ? 'app-check' : 'bearer');
      // Outside a resumable upload, an app-check token is valid only once, and the first attempt has used it.
      if (!request.pass) pass.renew('app-check');
      return askOnce(request, pass);
    }
  };
  return { ask, createPass };
}

/** True if the file service refused a token. A 401 with a cause comes from the sign-in service. */
const isRefusedToken = (error: unknown): error is StorageError =>
  error instanceof StorageError && error.status === 401 && error.cause === undefined;
