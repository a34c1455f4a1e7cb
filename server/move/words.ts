import { type MoveJournal, movedSchema, movedSqliteFile } from '../database/installation/move-journal.ts';
import { StartError } from '../environment.ts';
import { AppError, failureOf } from '../http/errors.ts';
import type { Places } from './places.ts';

/**
 * The steps of a move. Before `closing`, the site is certainly in the old place. During `closing`, it can be
 * in either place. From `tidying` on, it is in the new one.
 */
export type MoveStep = 'checking' | 'copying' | 'closing' | 'tidying';

/** What a move has copied; empty if an earlier attempt has already copied everything. */
export type Moved = { rows?: number | undefined; files?: number | undefined };

/** Returns the last message of a move: that it is done, what to change, what to do next. */
export function describeEnd(places: Places, journal: MoveJournal | undefined, moved: Moved): string {
  const steps = [...environmentSteps(places), startStep, ...oldPlaces(places, journal?.stamp ?? '')];
  return [
    `Pronto: o site foi mudado. ${describeMoved(moved)}`,
    'Faça agora, nesta ordem:',
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    `A pasta de dados ${places.source.dataDir} continua em uso: nela ficam a chave das sessões (auth-secret), a dos diários (diary-key), os registros de uso e os e-mails que não saíram (outbox).`,
    'docs/move.md explica cada passo e o caminho de volta.',
  ].join('\n');
}

function describeMoved({ rows, files }: Moved): string {
  const counts = [
    ...(rows === undefined ? [] : [`${rows.toLocaleString('pt-BR')} linhas de dados`]),
    ...(files === undefined ? [] : [`${files.toLocaleString('pt-BR')} arquivos`]),
  ];
  if (counts.length === 0) return 'A mudança que tinha sido interrompida terminou.';
  return `Tudo foi copiado e conferido: ${counts.join(' e ')}.`;
}

const startStep =
  'Comece o servidor (npm start) e abra o site. Quem estava com a sessão aberta continua com ela.';

function environmentSteps({ rows, contents, source, target }: Places): string[] {
  return [
    ...(rows === undefined
      ? []
      : [
          rows.to === 'sqlite'
            ? 'No ambiente do servidor, tire DATABASE_URL.'
            : `No ambiente do servidor, escreva em DATABASE_URL o endereço que você deu em --to-database (${rows.to}, com o usuário e a senha).`,
          ...(rows.to === 'sqlite' || source.authSecret !== undefined
            ? []
            : [
                `No ambiente do servidor, escreva em AUTH_SECRET o conteúdo de ${source.dataDir}/auth-secret; em todas as máquinas o mesmo.`,
              ]),
        ]),
    ...(contents === undefined
      ? []
      : [
          contents.to === 'disk'
            ? 'No ambiente do servidor, tire todas as variáveis S3_*.'
            : `No ambiente do servidor, escreva as mesmas variáveis S3_* desta mudança (S3_BUCKET=${target.s3?.bucket}).`,
        ]),
  ];
}

function oldPlaces({ rows, contents, source }: Places, stamp: string): string[] {
  const olds = [
    ...(rows === undefined
      ? []
      : [
          rows.from === 'sqlite'
            ? `o banco de dados antigo está em ${movedSqliteFile(source.dataDir, stamp)}`
            : `as tabelas antigas estão no PostgreSQL antigo, no esquema ${movedSchema(stamp)}`,
        ]),
    ...(contents === undefined
      ? []
      : [
          contents.from === 'disk'
            ? `os arquivos antigos estão em ${source.dataDir}/files.moved-${stamp} e uploads.moved-${stamp}`
            : `os arquivos antigos continuam no bucket ${source.s3?.bucket}, como estavam`,
        ]),
  ];
  return [
    `Guarde o antigo por alguns dias e depois apague-o, porque tem dados de saúde: ${olds.join('; ')}.`,
  ];
}

const afterStep: Record<MoveStep, string> = {
  checking: 'Nada foi mudado.',
  copying:
    'O site continua no lugar antigo, como antes: você pode começar o servidor como sempre. Para continuar a mudança, rode o mesmo comando de novo.',
  closing: 'Foi no último passo: rode o mesmo comando de novo, e ele termina a mudança ou a recomeça.',
  tidying:
    'O site já está no lugar novo, e falta só arrumar o antigo: rode o mesmo comando de novo, e ele termina.',
};

/** Says what an interruption at a step means. */
export const describeInterruption = (step: MoveStep): string => `Interrompido. ${afterStep[step]}`;

/** Explains why a move failed, and where the site is. The text contains no values of rows. */
export function describeFailure(error: unknown, step: MoveStep): string {
  const reason = reasonOf(error);
  const isComplete = step === 'checking' && error instanceof StartError;
  return isComplete ? reason : `${reason}\n${afterStep[step]}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof StartError) return error.message;
  const { code = '', message = '' } = error as Error & { code?: string };
  const isFull = code === 'server/storage-full' || failureOf(error) === 'server/storage-full';
  if (isFull) return 'A mudança parou: não há mais espaço no lugar novo.';
  if (error instanceof AppError) return `A mudança parou: ${error.message}`;
  // The messages of these errors of PostgreSQL can repeat values of rows.
  const reason = /^2[0-9A-Z]{4}$/.test(code) ? code : [code, message].filter(Boolean).join(': ');
  return `A mudança parou por um erro (${reason}).`;
}
