import { createInterface } from 'node:readline/promises';

/**
 * Asks for a line on the terminal, or reads the first line of standard input when that is a file or a pipe.
 * @returns the line without spaces around it; an empty text when the input has no line
 * @throws AbortError when `signal` ends the wait
 */
export async function askLine(question: string, signal?: AbortSignal): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stdout });
  // On a terminal, readline reads Ctrl+C as a key and the process gets no signal.
  reader.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    const line = await Promise.race([
      reader.question(question, signal ? { signal } : {}),
      new Promise<string>((resolve) => reader.once('close', () => resolve(''))),
    ]);
    return line.trim();
  } finally {
    reader.close();
  }
}
