import * as z from 'zod/mini';
import { isReplaced, migrations } from '../../database/migrations/migrations.ts';
import { StartError } from '../../environment.ts';
import { formatVersion } from './snapshot-format.ts';

/** Thrown when a newer program has made the backup. */
export class NewerBackup extends StartError {
  constructor(program: string) {
    super(
      `O backup é de uma versão mais nova deste programa (${program}). Nada foi mudado. Instale essa versão, ou uma mais nova, e tente de novo.`,
    );
  }
}

/** The fields that the first line of a snapshot or a manifest has in all versions of the format. */
const about = z.object({
  formatVersion: z.number(),
  program: z.string(),
  lastMigration: z.optional(z.string()),
});
const firstLine = z.union([z.object({ header: about }), z.object({ manifest: about })]);

/**
 * Checks the first line before its other fields and the other lines are read, because this program may not
 * know their form.
 * @throws NewerBackup
 */
export function requireKnownVersion(line: unknown): void {
  const { data } = firstLine.safeParse(line);
  // If this is not a valid first line, the caller's schema for all lines finds what is wrong.
  if (!data) return;
  const { formatVersion: version, program, lastMigration } = 'header' in data ? data.header : data.manifest;
  const isKnown = lastMigration === undefined || lastMigration in migrations || isReplaced(lastMigration);
  if (version > formatVersion || !isKnown) throw new NewerBackup(program);
}
