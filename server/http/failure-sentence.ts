import { isDatabaseAway } from '../database/away.ts';
import { WrongValue } from '../database/rows/rows.ts';
import { StartError } from '../environment.ts';
import { AppError, failureOf } from './errors.ts';

const causes = new Map<string | undefined, string>([
  ['EACCES', 'Este usuário não tem permissão para ler ou gravar ali.'],
  ['EPERM', 'Este usuário não tem permissão para ler ou gravar ali.'],
  ['ENOTFOUND', 'O endereço não foi encontrado: veja se está escrito certo.'],
]);

/**
 * Explains to an operator why a command or a job failed. The sentence contains no values of rows, except
 * their keys.
 */
export function failureSentence(error: unknown): string | undefined {
  if (error instanceof StartError) return error.message;
  const failure = error instanceof AppError ? error.code : failureOf(error);
  // The error's own message is for the users of a running server, not for an operator.
  if (failure === 'server/storage-full') return 'Não há espaço para gravar. Abra espaço e tente de novo.';
  if (error instanceof AppError) return error.message;
  if (error instanceof WrongValue)
    return `A linha ${error.key ?? ''} da tabela ${error.table} do banco de dados tem um valor que não se pode copiar: corrija a linha (docs/move.md diz como) e tente de novo.`;
  const { code } = error as NodeJS.ErrnoException;
  const cause = causes.get(code);
  if (cause !== undefined) return cause;
  if (failure !== 'server/unavailable') return undefined;
  return isDatabaseAway(error)
    ? 'O banco de dados, ou outro serviço que o comando usa, parou de responder. Veja se ele está no ar e tente de novo.'
    : `O disco ou o banco de dados recusou a leitura ou a gravação (${code}). Veja se o disco está bom e se nenhum outro programa usa os mesmos dados, e tente de novo.`;
}
