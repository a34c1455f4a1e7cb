import type { ServerResponse } from 'node:http';
import { AppError } from '#server/http/errors.ts';

/** What all answers together may lease of the files that they are sending. */
const bufferedBytes = 32 * 1024 * 1024;
const largestBuffer = 256 * 1024;
const smallestBuffer = 16 * 1024;
/** An answer holds a buffer that is being sent and one that was read ahead. */
const buffersPerAnswer = 2;
const mostAnswers = bufferedBytes / (smallestBuffer * buffersPerAnswer);
/** A page of pictures over HTTP/2 asks for a hundred at once. */
const mostPerNetwork = 128;

/**
 * Bounds the memory of files on their way: the more of them there are, the less is read ahead for each, and one
 * network cannot take all places.
 */
export function createReadingLimits() {
  const perNetwork = new Map<string, number>();
  let answers = 0;

  return {
    /**
     * Takes a place for an answer until it ends.
     * @param network the reader's address, as rate limits count it
     * @returns how many bytes to read at once
     * @throws AppError `server/unavailable` when there is no place left
     */
    begin(network: string, response: ServerResponse): number {
      const own = perNetwork.get(network) ?? 0;
      if (answers >= mostAnswers || own >= mostPerNetwork) throw new AppError('server/unavailable');
      answers += 1;
      perNetwork.set(network, own + 1);
      response.once('close', () => {
        answers -= 1;
        const left = (perNetwork.get(network) ?? 1) - 1;
        if (left === 0) perNetwork.delete(network);
        else perNetwork.set(network, left);
      });
      const share = Math.floor(bufferedBytes / (buffersPerAnswer * answers));
      return Math.min(largestBuffer, Math.max(smallestBuffer, share));
    },
  };
}
