import type { BackupResult } from './back-up.ts';
import { snapshotFolder } from './snapshot/snapshot-format.ts';
import { timeText } from './snapshot/snapshot-times.ts';

/** Returns the sentences about what a backup has found besides its own data. */
export function warningsOf({ place, problems, deletedAgain }: BackupResult): string[] {
  return [
    ...(deletedAgain > 0
      ? [
          `Atenção: o banco de dados voltou a um tempo anterior. Foram apagadas de novo as contas que já tinham sido apagadas: ${deletedAgain}.`,
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
