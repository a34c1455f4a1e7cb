import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** More than are ever on their way at once. */
const mostKept = 32;

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
    const releaseSent = () => {
      if (response.writableLength === 0) given.forEach(release);
      // Those of a connection that always has something on its way are left to the collector.
      else if (given.length < mostKept) return;
      given = [];
    };
    // Before the pipe gives the chunk to the answer: what is on its way then are the ones before it.
    source.prependListener('data', (chunk: Uint8Array) => {
      releaseSent();
      given.push(chunk);
    });
    response.on('drain', releaseSent);
  });
}
