import { close, open, read } from 'node:fs';

type Read = (
  file: number,
  buffer: NodeJS.ArrayBufferView,
  offset: number,
  length: number,
  position: number | null,
  done: (error: NodeJS.ErrnoException | null, bytesRead: number, buffer: NodeJS.ArrayBufferView) => void,
) => void;

/**
 * Creates file system functions for `createReadStream`. All streams that share these functions together read
 * only one chunk per turn of the event loop. Without this limit, a hundred responses that fill the buffers of
 * their sockets make each turn some milliseconds long, and all other requests wait.
 */
export function createPacedReads() {
  const waiting: (() => void)[] = [];
  let reading = false;

  const pacedRead: Read = (file, buffer, offset, length, position, done) => {
    const start = () => {
      reading = true;
      read(file, buffer, offset, length, position, (...result) => {
        // Other requests get a turn before the next read.
        setImmediate(startNext);
        done(...result);
      });
    };
    if (reading) waiting.push(start);
    else start();
  };
  function startNext() {
    reading = false;
    waiting.shift()?.();
  }

  return { open, close, read: pacedRead };
}
