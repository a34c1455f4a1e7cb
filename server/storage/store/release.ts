import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** The maximum number of chunks of one response that wait to be freed. */
const mostKept = 32;

/**
 * Frees the memory of a chunk at once. The garbage collector runs only after 64 MB of chunks, and a process
 * does not return that memory to the system.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  // A view of a larger buffer shares the memory with other views, so it is not freed.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

/** Frees the chunks of the stream piped into the response, each as soon as the system has accepted it. */
export function releaseWhenSent(response: ServerResponse): void {
  response.once('pipe', (source: Readable) => {
    let given: Uint8Array[] = [];
    const releaseSent = () => {
      if (response.writableLength === 0) given.forEach(release);
      // If the response always has unsent data, the garbage collector frees the chunks instead.
      else if (given.length < mostKept) return;
      given = [];
    };
    // Runs before the pipe writes this chunk to the response, so unsent bytes belong to earlier chunks.
    source.prependListener('data', (chunk: Uint8Array) => {
      releaseSent();
      given.push(chunk);
    });
    response.on('drain', releaseSent);
  });
}
