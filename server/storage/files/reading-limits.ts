import type { ServerResponse } from 'node:http';
import { AppError } from '#server/http/errors.ts';

/** The maximum memory for file buffers: for all responses together, and for the responses to one network. */
const bufferedBytes = 32 * 1024 * 1024;
const bufferedPerNetwork = 2 * 1024 * 1024;
const largestBuffer = 256 * 1024;
const smallestBuffer = 16 * 1024;
/** Each response sends from one buffer while it fills the other. */
const buffersPerResponse = 2;
const mostResponses = bufferedBytes / (smallestBuffer * buffersPerResponse);
/** The maximum number of responses to one network. Over HTTP/2, a page can request 100 pictures at once. */
const mostPerNetwork = 128;

/**
 * Limits the memory for files that are being sent. The more responses there are, the smaller the buffers of
 * each new one. One network cannot use up the limit of all responses.
 */
export function createReadingLimits() {
  const perNetwork = new Map<string, number>();
  let responses = 0;

  return {
    /**
     * Counts a response until it ends.
     * @param network the reader's network, as rate limits count it
     * @returns the number of bytes to read at once
     * @throws AppError `server/unavailable` when there are too many responses, in all or to this network
     */
    begin(network: string, response: ServerResponse): number {
      const own = perNetwork.get(network) ?? 0;
      if (responses >= mostResponses || own >= mostPerNetwork) throw new AppError('server/unavailable');
      responses += 1;
      perNetwork.set(network, own + 1);
      response.once('close', () => {
        responses -= 1;
        const left = (perNetwork.get(network) ?? 1) - 1;
        if (left === 0) perNetwork.delete(network);
        else perNetwork.set(network, left);
      });
      const share = Math.min(bufferedBytes / responses, bufferedPerNetwork / (own + 1)) / buffersPerResponse;
      return Math.min(largestBuffer, Math.max(smallestBuffer, Math.floor(share)));
    },
  };
}
