import type { ErrorCode } from '#contract/errors.ts';
import { kindOfFile, type StorageErrorCode, uploadFormats } from '#contract/storage.ts';
import { isNoResponse, type StorageError } from './storage-error.ts';

/** The sentence for the user about an error. The error's own message is for the log. */
export function sentenceOf({ code, serverCode, foundFormat, path }: StorageError): string {
  const sentence = (serverCode && sentencesByServerCode[serverCode]) ?? sentences[code];
  const kind = kindOfFile(path);
  if (serverCode !== 'request/unsupported-type' || kind === undefined) return sentence;
  const reason = foundFormat ? `Pelo conteúdo, este arquivo é ${foundFormat}, que não serve aqui.` : sentence;
  return `${reason} Escolha ${uploadFormats[kind].names}.`;
}

/** The sentence for the user while an upload waits for its next attempt. */
export function sentenceOfDelay(error: StorageError): string {
  if (isNoResponse(error)) return 'Sem conexão. O envio continua sozinho quando a internet voltar.';
  if (error.serverCode === 'server/storage-full')
    return 'O servidor está sem espaço agora. O envio tenta de novo sozinho.';
  return 'O servidor não respondeu. O envio tenta de novo sozinho.';
}

/** The sentences for server codes that are more precise than the storage code. */
const sentencesByServerCode: Partial<Record<ErrorCode, string>> = {
  'request/too-large': 'Este arquivo é maior do que o servidor aceita.',
  'request/unsupported-type': 'O conteúdo deste arquivo não é de um tipo aceito aqui.',
  'storage/incomplete-file':
    'O arquivo está incompleto ou danificado. Copie o original outra vez, ou escolha outro.',
  'storage/object-in-use':
    'O site usa este arquivo, ou uma versão recente dele. Por isso ele não pode ser apagado.',
  'storage/account-quota-exceeded':
    'Não cabem mais fotos na sua conta agora. Remova a foto atual ou tente de novo amanhã.',
  'server/storage-full': 'O servidor está sem espaço para gravar. Tente de novo mais tarde.',
  'auth/too-many-attempts': 'Foram tentativas demais. Espere alguns minutos e tente de novo.',
};

const ourSide = 'Algo deu errado do nosso lado. Tente de novo em instantes.';

const sentences: Record<StorageErrorCode, string> = {
  unknown: 'O arquivo não pôde ser enviado. Tente de novo em instantes.',
  'object-not-found': 'O envio não está mais no servidor. Tente de novo para começar outra vez.',
  'bucket-not-found': ourSide,
  'project-not-found': ourSide,
  'quota-exceeded': 'Não cabem mais arquivos no espaço contratado.',
  unauthenticated: 'Sua sessão terminou. Entre de novo para continuar o envio.',
  unauthorized: 'Sua conta não tem permissão para este arquivo.',
  'unauthorized-app': 'Não deu para confirmar que o envio veio deste site. Tente de novo.',
  'retry-limit-exceeded':
    'O servidor não respondeu por muito tempo. Tente de novo: o que já foi enviado vale.',
  'invalid-checksum': 'O arquivo chegou diferente do que saiu. Envie de novo.',
  canceled: 'O envio foi cancelado.',
  'invalid-event-name': ourSide,
  'invalid-url': ourSide,
  'invalid-default-bucket': ourSide,
  'no-default-bucket': ourSide,
  'cannot-slice-blob': 'O arquivo mudou ou não pode mais ser lido. Escolha o arquivo de novo.',
  'server-file-wrong-size': 'O arquivo chegou com outro tamanho. Envie de novo.',
  'no-download-url': 'O arquivo foi enviado, mas o endereço dele não veio. Tente de novo.',
  'invalid-argument': 'Este arquivo não pode ser enviado para cá.',
  'invalid-argument-count': ourSide,
  'app-deleted': ourSide,
  'invalid-root-operation': ourSide,
  'invalid-format': ourSide,
  'internal-error': ourSide,
  'unsupported-environment': 'Este navegador não consegue enviar arquivos. Tente em outro.',
};
