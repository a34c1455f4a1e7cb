import * as z from 'zod/mini';
import { unexpectedMessage } from './unexpected-message.ts';

/**
 * Every error code of the back end, with the sentence that users can see.
 * Clients compare codes, never messages.
 */
export const errorMessages = {
  'request/invalid': 'Há algo errado nos dados enviados.',
  'request/malformed': 'O pedido não pôde ser lido.',
  'request/too-large': 'O pedido é grande demais.',
  'request/path-too-long': 'O endereço é longo demais.',
  'request/unsupported-type': 'Este tipo de conteúdo não é aceito aqui.',
  'request/not-found': 'Este endereço não existe.',
  'request/foreign-origin': 'Este pedido veio de outro site e foi recusado.',
  'request/precondition-required': 'Falta dizer em que versão esta mudança se baseia.',
  'auth/unauthenticated': 'Entre na sua conta para continuar.',
  'auth/forbidden': 'Sua conta não tem permissão para isto.',
  'auth/invalid-credentials': 'E-mail ou senha incorretos.',
  'auth/wrong-password': 'A senha atual não confere.',
  'auth/sign-in-again': 'Confirme que é você: entre de novo com o Google.',
  'auth/wrong-passkey': 'Esta chave de acesso não serve aqui, ou demorou demais. Tente de novo.',
  'auth/wrong-code': 'O código está incorreto ou já venceu.',
  'auth/second-factor-unreadable':
    'A sua verificação em duas etapas precisa ser refeita. Peça à clínica que a desligue, e ligue-a de novo depois de entrar.',
  'auth/email-not-verified': 'Confirme o seu e-mail pelo link que acabamos de enviar, e entre de novo.',
  'auth/email-taken': 'Já existe uma conta com este e-mail. Entre ou recupere a senha.',
  'auth/invalid-link': 'Este link já foi usado ou venceu.',
  'auth/choose-password': 'Escolha a sua senha para confirmar este e-mail neste aparelho.',
  'auth/other-account': 'Outra conta está aberta neste aparelho. Saia dela para continuar.',
  'auth/other-user':
    'Outra pessoa entrou neste navegador. Copie o que escreveu e entre de novo com a sua conta.',
  'auth/already-has-admin': 'Já existe uma conta de administração.',
  'auth/app-check-failed': 'Não deu para confirmar que o pedido veio deste site. Tente de novo.',
  'auth/too-many-attempts': 'Foram tentativas demais. Espere alguns minutos e tente de novo.',
  'auth/last-admin': 'É preciso haver pelo menos uma conta de administração.',
  'auth/strong-session-required':
    'Para isto, saia e entre de novo com a verificação em duas etapas ou com uma chave de acesso.',
  'documents/not-found': 'Este documento não existe.',
  'documents/conflict': 'Já existe um documento com esta identificação.',
  'documents/too-many-favourites': 'Cabem até 500 práticas na sua lista. Tire uma para guardar outra.',
  'newsletter/already-sent': 'Esta carta já foi enviada. O texto dela não muda mais.',
  'newsletter/no-subscribers': 'Ninguém confirmou a assinatura da carta ainda.',
  'documents/too-many-diary-entries':
    'Cabem até 30 anotações por dia e 20.000 no diário. Apague uma para guardar outra.',
  'documents/diary-consent-missing':
    'Antes da primeira anotação, leia como o diário é guardado e dê a sua autorização.',
  'documents/diary-entry-full': 'Esta anotação ficou grande demais. Junte os textos e tire o que sobra.',
  'documents/diary-entry-unreadable': 'Esta anotação não pôde ser aberta. Você pode apagá-la.',
  'documents/clinician-not-ready':
    'Só pode ler diários quem é da administração e usa a verificação em duas etapas ou uma chave de acesso.',
  'documents/crm-taken': 'Este CRM já é de outra conta.',
  'documents/clinician-unavailable': 'Esta pessoa não pode ler diários agora. Escolha outra.',
  'documents/consent-changed': 'Algo mudou desde que você abriu a página. Leia de novo antes de autorizar.',
  'documents/too-many-shares': 'Há autorizações demais. Encerre uma para dar outra.',
  'documents/note-changed': 'Esta nota mudou em outro lugar desde que você a abriu.',
  'documents/reminder-email-unverified': 'Confirme antes o seu e-mail, em "Minha conta".',
  'documents/too-many-notes': 'Cabem até 500 notas para consultas. Apague uma para guardar outra.',
  'documents/too-many-assignments':
    'Esta pessoa já tem três práticas propostas. Espere uma terminar, ou retire uma das suas.',
  'site/not-publishable': 'O site ainda não pode ser publicado: veja o que falta.',
  'documents/precondition-failed': 'Alguém salvou uma versão mais nova.',
  'storage/unauthenticated': 'Entre na sua conta para continuar.',
  'storage/unauthorized-app': 'Não deu para confirmar que o pedido veio deste site. Tente de novo.',
  'storage/unauthorized': 'Sua conta não tem permissão para este arquivo.',
  'storage/object-not-found': 'Este arquivo não existe.',
  'storage/object-in-use':
    'O site usa este arquivo, ou uma versão recente dele. Por isso ele não pode ser apagado.',
  'storage/quota-exceeded': 'Não cabem mais arquivos no espaço contratado.',
  'storage/account-quota-exceeded':
    'Não cabem mais fotos na sua conta agora. Remova a foto atual ou tente de novo amanhã.',
  'storage/invalid-argument': 'O endereço do arquivo não é aceito.',
  'storage/invalid-checksum': 'O arquivo chegou diferente do que saiu. Envie de novo.',
  'storage/incomplete-file': 'O arquivo está incompleto ou danificado.',
  'storage/unsupported-version': 'Esta versão do protocolo de envio não é aceita.',
  'storage/range-not-satisfiable': 'O arquivo não tem esta parte.',
  'storage/offset-conflict': 'O envio já tinha avançado. Ele continua de onde está.',
  'server/unavailable': 'O serviço está indisponível agora. Tente de novo em instantes.',
  'server/storage-full': 'Não há espaço para gravar agora. O que já existe continua disponível.',
  unexpected: unexpectedMessage,
} as const;

export type ErrorCode = keyof typeof errorMessages;

const codes = Object.keys(errorMessages) as [ErrorCode, ...ErrorCode[]];

/** A field that failed validation, named by its path (`password`, `0.title`). */
export const fieldIssue = z.object({ path: z.string(), message: z.string() });
export type FieldIssue = z.infer<typeof fieldIssue>;

/** The body of every response of the API with a status of 400 or more. */
export const errorBody = z.object({
  code: z.enum(codes),
  message: z.string(),
  requestId: z.string(),
  /** Present only with `request/invalid` and `site/not-publishable`. */
  issues: z.optional(z.array(fieldIssue)),
  /** Present only when an upload has the wrong content: its format, for example `GIF`, if it is known. */
  foundFormat: z.optional(z.string()),
  /**
   * The current state of the document or section. Present only with `documents/precondition-failed`, when the
   * request was about a single document or section, and with `documents/note-changed`.
   */
  current: z.optional(z.unknown()),
  /**
   * The user who saved the activity or section in `current`; absent when this user is no longer an editor or
   * admin. Only editors and admins receive this field.
   */
  changedBy: z.optional(z.object({ name: z.string() })),
});
export type ErrorBody = z.infer<typeof errorBody>;
