export type DeviceRequest = {
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body: Blob | FormData | null;
  signal: AbortSignal;
  /** Told how many bytes of the body have left, where the device knows. */
  onProgress?: ((bytes: number) => void) | undefined;
};

export type Answer = { status: number; header: (name: string) => string | undefined; text: string };

/** Keeps lines of text by name, beyond the page where it can. */
export type DeviceMemory = {
  get(name: string): string | undefined;
  /** @param since when the upload began that keeps it: nothing is kept for a person who has signed out after that */
  set(name: string, text: string, since: number): void;
  delete(name: string): void;
};

/** What uploads need of the machine they run on. */
export type UploadDevice = {
  /** Throws whatever it likes when no answer comes. */
  send(request: DeviceRequest): Promise<Answer>;
  memory: DeviceMemory;
  /** Resolves after `ms`, or sooner when the network comes back. @throws the signal's reason */
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

/** A device without progress inside a request and without a memory of its own: Node. */
export const createPlainDevice = (fetch: typeof globalThis.fetch): UploadDevice => ({
  async send({ onProgress: _, ...request }) {
    return readAnswer(await fetch(request.url, request));
  },
  memory: new Map<string, string>(),
  wait: waitFor,
});

export async function readAnswer(response: Response): Promise<Answer> {
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
