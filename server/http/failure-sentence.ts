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
 * Explains to an operator why a command or a job failed. Values of rows do not appear in it.
 * @returns undefined for an error that only a programmer understands
 */
export function failureSentence(error: unknown): string | undefined {
  if (error instanceof StartError || error instanceof AppError) return error.message;
  if (error instanceof WrongValue)
    return `A linha ${error.key ?? ''} da tabela ${error.table} do banco de dados tem um valor que não se pode copiar: corrija a linha (docs/move.md diz como) e tente de novo.`;
  const { code } = error as NodeJS.ErrnoException;
  const cause = causes.get(code);
  if (cause !== undefined) return cause;
  switch (failureOf(error)) {
    case 'server/storage-full':
      return 'O disco está cheio. Abra espaço e tente de novo.';
    case 'server/unavailable':
      return isDatabaseAway(error)
        ? 'O banco de dados, ou outro serviço que o comando usa, parou de responder. Veja se ele está no ar e tente de novo.'
        : `O disco ou o banco de dados recusou a leitura ou a gravação (${code}). Veja se o disco está bom e se nenhum outro programa usa os mesmos dados, e tente de novo.`;
    default:
      return undefined;
  }
}
