export type DeviceRequest = {
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body: Blob | FormData | null;
  signal: AbortSignal;
  /** Called with the number of body bytes sent so far, if the device knows this number. */
  onProgress?: ((bytes: number) => void) | undefined;
};

export type DeviceResponse = { status: number; header: (name: string) => string | undefined; text: string };

/** Stores string values by name. If the device allows it, they stay stored after the page closes. */
export type DeviceMemory = {
  get(name: string): string | undefined;
  /**
   * Stores a value, unless a user has signed out on the device since `since`.
   * @param since when the upload started, in epoch milliseconds
   */
  set(name: string, text: string, since: number): void;
  delete(name: string): void;
};

/** What uploads need from the device they run on. */
export type UploadDevice = {
  /** @throws an error of any class when there is no response */
  send(request: DeviceRequest): Promise<DeviceResponse>;
  memory: DeviceMemory;
  /** Resolves after `ms`, or earlier when the network comes back. @throws the signal's reason */
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

/**
 * Creates a device that needs only `fetch`, for example for Node. The device reports no progress within a
 * request and stores values only in memory.
 */
export const createPlainDevice = (fetch: typeof globalThis.fetch): UploadDevice => ({
  async send({ onProgress: _, ...request }) {
    return toDeviceResponse(await fetch(request.url, request));
  },
  memory: new Map<string, string>(),
  wait: waitFor,
});

export async function toDeviceResponse(response: Response): Promise<DeviceResponse> {
  const text = await response.text();
  return { status: response.status, header: (name) => response.headers.get(name) ?? undefined, text };
}

/** Resolves after `ms`. @throws the signal's reason */
export function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(finish, ms);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    function finish() {
      signal.removeEventListener('abort', stop);
      resolve();
    }
  });
}
