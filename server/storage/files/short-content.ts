import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * Closes the connection when the stream that is piped into the response has fewer bytes than `expectedBytes`,
 * the announced length. Otherwise the client would wait for the rest.
 * @param report receives the number of bytes that the stream had
 */
export function endWhenShort(
  response: ServerResponse,
  expectedBytes: number,
  report: (sentBytes: number) => void,
): void {
  response.once('pipe', (source: Readable) => {
    let sentBytes = 0;
    source.prependListener('data', ({ length }: Uint8Array) => {
      sentBytes += length;
    });
    // This listener runs before the pipe's own listener, which ends the response.
    source.prependListener('end', () => {
      if (sentBytes >= expectedBytes) return;
      report(sentBytes);
      response.destroy();
    });
  });
}
