import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * Frees the memory of a chunk at once. The garbage collector looks for it only after 64 MB of them, and what a process
 * has once taken it keeps.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  // A piece of something larger is not ours alone.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Frees the chunks of the stream that will be piped into the answer, each as soon as the system has taken it. */
export function releaseWhenSent(response: ServerResponse): void {
  response.once('pipe', (source: Readable) => {
    let given: Uint8Array[] = [];
    source.on('data', (chunk: Uint8Array) => given.push(chunk));
    response.on('drain', () => {
      if (response.writableLength > 0) return;
      given.forEach(release);
      given = [];
    });
  });
}
