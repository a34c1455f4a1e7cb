import { failureSentence } from '../http/failure-sentence.ts';
import { reasonOf } from '../http/log.ts';
import type { BackupResult } from './back-up.ts';
import { snapshotFolder } from './snapshot/snapshot-format.ts';
import { timeText } from './snapshot/snapshot-times.ts';

/**
 * Returns sentences for what a backup has found wrong outside its own data, such as damaged earlier backups.
 */
export function warningsOf({ place, problems, deletedAgain, leftOld }: BackupResult): string[] {
  return [
    ...(deletedAgain > 0
      ? [
          `Atenção: o banco de dados voltou a um tempo anterior. Foram apagadas de novo as contas que já tinham sido apagadas: ${deletedAgain}.`,
        ]
      : []),
    ...(leftOld
      ? [
          `Atenção: nem todos os backups antigos foram apagados; o próximo backup continua.${reasonFor(leftOld)}`,
        ]
      : []),
    ...problems.damaged.map(
      (name) => `Atenção: o backup de ${timeText(name)} está danificado; os outros continuam bons.`,
    ),
    ...problems.ahead.map(
      (name) =>
        `Atenção: o backup de ${timeText(name)} foi feito com o relógio adiantado. Ele não será apagado sozinho: se o relógio agora está certo, apague ${snapshotFolder(name)} em ${place}.`,
    ),
  ];
}

function reasonFor({ failure }: NonNullable<BackupResult['leftOld']>): string {
  if (failure === undefined) return '';
  return ` ${failureSentence(failure) ?? reasonOf(failure).stack}`;
}
