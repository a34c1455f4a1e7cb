import { StartError } from '#server/environment.ts';
import { failureSentence } from '#server/http/failure-sentence.ts';
import { reasonOf } from '#server/http/log.ts';

/** The usual exit code of a program that SIGINT has ended. */
const interruptedCode = 130;

/** The sentences for a command that is stopped or fails. */
export type Endings = {
  /** Printed after Ctrl+C. */
  stopped: string;
  /** Says what a failure leaves behind. It is printed after the reason of the failure. */
  failed: string;
};

/**
 * Runs a command, and prints the sentence that `work` returns. After a failure, prints a sentence about it,
 * and the process ends with a nonzero exit code.
 * @param work gets a signal that Ctrl+C aborts. A StartError from it must say what the failure leaves behind.
 * @param endings returns the sentences for a command that was stopped or has failed
 */
export async function runCommand(
  work: (signal: AbortSignal) => Promise<string>,
  endings: () => Endings,
): Promise<void> {
  const interrupted = new AbortController();
  // After Ctrl+C, the terminal and npm each send a signal. Without a listener, the second signal would end
  // the process before it has cleaned up.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => interrupted.abort(new StartError(endings().stopped)));
  try {
    console.log(await work(interrupted.signal));
  } catch (error) {
    const { aborted, reason } = interrupted.signal;
    console.error(failureText(aborted ? reason : error, endings().failed));
    process.exitCode = aborted ? interruptedCode : 1;
  }
}

/**
 * Says why a command failed, for its operator.
 * @param failed says what the failure leaves behind. Unused for a StartError, whose message already says it
 */
export function failureText(error: unknown, failed: string): string {
  const sentence = failureSentence(error);
  if (error instanceof StartError && sentence !== undefined) return sentence;
  if (sentence !== undefined) return `${sentence} ${failed}`;
  // The stack contains the error's message, in which `reasonOf` masks email addresses.
  return `O comando falhou por um motivo inesperado. ${failed} Para quem programa:\n${reasonOf(error).stack}`;
}
