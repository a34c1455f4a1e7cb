import type { ServerResponse } from 'node:http';
import { AppError } from '#server/http/errors.ts';

/** The most memory for the file buffers of all answers together. */
const bufferedBytes = 32 * 1024 * 1024;
const largestBuffer = 256 * 1024;
const smallestBuffer = 16 * 1024;
/** Each answer has one buffer being sent and one read ahead. */
const buffersPerAnswer = 2;
const mostAnswers = bufferedBytes / (smallestBuffer * buffersPerAnswer);
/** A page of pictures over HTTP/2 requests a hundred at once. */
const mostPerNetwork = 128;

/**
 * Limits the memory of files being sent: with more answers, each reads ahead less, and one network cannot use
 * all places.
 */
export function createReadingLimits() {
  const perNetwork = new Map<string, number>();
  let answers = 0;

  return {
    /**
     * Reserves a place for an answer until it ends.
     * @param network the reader's address, as rate limits count it
     * @returns the number of bytes to read at once
     * @throws AppError `server/unavailable` when no place is free
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
