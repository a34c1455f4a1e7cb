import { StartError } from '#server/environment.ts';
import { failureSentence } from '#server/http/failure-sentence.ts';
import { reasonOf } from '#server/http/log.ts';

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
