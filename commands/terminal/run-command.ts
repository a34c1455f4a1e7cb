import { StartError } from '#server/environment.ts';
import { AppError } from '#server/http/errors.ts';

/** The usual exit code of a program that SIGINT has ended. */
const interruptedCode = 130;
const told = new Map<string | undefined, string>([
  ['ENOSPC', 'O disco está cheio. Abra espaço e tente de novo.'],
  ['EACCES', 'Este usuário não tem permissão para ler ou gravar ali.'],
  ['EPERM', 'Este usuário não tem permissão para ler ou gravar ali.'],
  ['ECONNREFUSED', 'Não houve resposta do endereço: veja se o serviço está no ar.'],
  ['ENOTFOUND', 'O endereço não foi encontrado: veja se está escrito certo.'],
]);

/**
 * Runs a command, and prints the sentence that it ends with. A failure prints a sentence, too, and ends the
 * process with another code than 0.
 * @param work gets a signal, which Ctrl+C aborts
 * @param stopped the sentence after Ctrl+C
 */
export async function runCommand(
  work: (signal: AbortSignal) => Promise<string>,
  stopped: string,
): Promise<void> {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => interrupted.abort(new StartError(stopped)));
  try {
    console.log(await work(interrupted.signal));
  } catch (error) {
    const reason: unknown = interrupted.signal.aborted ? interrupted.signal.reason : error;
    const sentence = sentenceOf(reason);
    if (sentence === undefined) throw error;
    console.error(sentence);
    process.exitCode = interrupted.signal.aborted ? interruptedCode : 1;
  }
}

function sentenceOf(error: unknown): string | undefined {
  if (error instanceof StartError || error instanceof AppError) return error.message;
  return told.get((error as NodeJS.ErrnoException).code);
}
