import { StartError } from '#server/environment.ts';
import { failureText } from './failure-text.ts';

/** The usual exit code of a program that SIGINT has ended. */
const interruptedCode = 130;

/** The sentences of a command that does not reach its end. */
export type Endings = {
  /** After Ctrl+C. */
  stopped: string;
  /** What a failure leaves behind. It follows the reason of the failure. */
  failed: string;
};

/**
 * Runs a command, and prints the sentence that it ends with. A failure prints a sentence, too, and ends the
 * process with another code than 0.
 * @param work gets a signal, which Ctrl+C aborts. A StartError of it says itself what it leaves behind.
 * @param endings called when the command did not reach its end
 */
export async function runCommand(
  work: (signal: AbortSignal) => Promise<string>,
  endings: () => Endings,
): Promise<void> {
  const interrupted = new AbortController();
  // Ctrl+C gives the signal twice: from the terminal and from npm. Without a listener, the second one would end
  // the process before it has tidied up.
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
