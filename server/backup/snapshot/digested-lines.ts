import { createHash } from 'node:crypto';

/** Thrown when a backup is incomplete or was altered. */
export class DamagedBackup extends Error {
  override name = 'DamagedBackup';
}

/** The content of the last line: the number of the lines before it, and their SHA-256 in hexadecimal. */
type End = { lines: number; digest: string };

const lineFeed = 10;
/** Longer than any row. Without this limit, a line that never ends would fill the memory. */
const mostLineBytes = 64 * 1024 * 1024;

/**
 * Writes JSON values, one per line, and at the end a line with their count and digest. From these, a reader
 * detects missing and altered lines.
 * @param write gets each line, with its line feed
 */
export function createLineWriter(write: (line: string) => Promise<void>) {
  const hash = createHash('sha256');
  let lines = 0;
  return {
    async add(value: object): Promise<void> {
      const line = `${JSON.stringify(value)}\n`;
      hash.update(line);
      lines += 1;
      await write(line);
    },
    async end(): Promise<void> {
      const end: End = { lines, digest: hash.digest('hex') };
      await write(`${JSON.stringify({ end })}\n`);
    },
  };
}

/**
 * Reads what `createLineWriter` has written. The caller must not trust any value until the last one has been
 * read.
 * @throws DamagedBackup when a line is missing or altered; an error of `content`
 */
export async function* readLines(content: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const hash = createHash('sha256');
  let lines = 0;
  let end: End | undefined;
  for await (const line of splitLines(content)) {
    if (end) throw new DamagedBackup('There are lines after the last one.');
    const value = parseLine(line);
    if (isEnd(value)) {
      end = value.end;
      continue;
    }
    hash.update(`${line}\n`);
    lines += 1;
    yield value;
  }
  if (!end) throw new DamagedBackup('The last line is missing.');
  if (end.lines !== lines || end.digest !== hash.digest('hex'))
    throw new DamagedBackup('The digest differs.');
}

async function* splitLines(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let begun = Buffer.alloc(0);
  for await (const chunk of content) {
    begun = Buffer.concat([begun, chunk]);
    let start = 0;
    for (let end = begun.indexOf(lineFeed); end >= 0; end = begun.indexOf(lineFeed, start)) {
      yield begun.toString('utf8', start, end);
      start = end + 1;
    }
    begun = begun.subarray(start);
    if (begun.length > mostLineBytes) throw new DamagedBackup('A line is too long.');
  }
  if (begun.length > 0) throw new DamagedBackup('The last line is incomplete.');
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new DamagedBackup('A line is not JSON.', { cause });
  }
}

const isEnd = (value: unknown): value is { end: End } =>
  typeof value === 'object' && value !== null && 'end' in value;
