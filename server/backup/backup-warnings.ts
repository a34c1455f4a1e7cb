import type { BackupResult } from './back-up.ts';
import { snapshotFolder } from './snapshot/snapshot-format.ts';
import { timeText } from './snapshot/snapshot-times.ts';

/** Returns the sentences about problems that a backup has found in earlier ones. */
export function warningsOf({ place, problems }: Pick<BackupResult, 'place' | 'problems'>): string[] {
  return [
    ...problems.damaged.map(
      (name) => `Atenção: o backup de ${timeText(name)} está danificado; os outros continuam bons.`,
    ),
    ...problems.ahead.map(
      (name) =>
        `Atenção: o backup de ${timeText(name)} foi feito com o relógio adiantado. Ele não será apagado sozinho: se o relógio agora está certo, apague ${snapshotFolder(name)} em ${place}.`,
    ),
  ];
}
