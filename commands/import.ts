/**
 * `npm run import -- firebase FOLDER [--dry-run] [--admin EMAIL …] [--skip-invalid] [--rejected FILE]`:
 * imports the folder that `commands/firebase-export.mjs` has written. The installation must be empty, and no
 * server may run on it. See docs/import.md.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readEnvironment, StartError } from '#server/environment.ts';
import { type ImportOptions, importFirebase } from './firebase/import-firebase.ts';
import { createProgress } from './terminal/progress.ts';
import { runCommand } from './terminal/run-command.ts';

const usage = [
  'Escreva assim: npm run import -- firebase PASTA',
  '  --dry-run              só confere, e não muda nada',
  '  --admin E-MAIL         esta conta será da administração; pode ser repetido',
  '  --skip-invalid         importa o resto, mesmo que algo seja recusado',
  '  --rejected ARQUIVO     onde escrever o que foi recusado; sem isso, rejected.json ao lado da PASTA',
].join('\n');

await runCommand(run, () => ({
  stopped: 'A importação foi interrompida. Nada foi importado; ela pode ser repetida.',
  failed: 'Nada foi importado.',
}));

async function run(stopped: AbortSignal): Promise<string> {
  const given = readArguments();
  const progress = createProgress('arquivos');
  try {
    return await importFirebase(readEnvironment(), { ...given, progress: progress.show, stopped });
  } finally {
    progress.end();
  }
}

/** @throws StartError with the usage */
function readArguments(): Omit<ImportOptions, 'progress' | 'stopped'> {
  try {
    const { positionals, values } = parseArgs({
      options: {
        'dry-run': { type: 'boolean', default: false },
        'skip-invalid': { type: 'boolean', default: false },
        admin: { type: 'string', multiple: true, default: [] },
        rejected: { type: 'string' },
      },
      allowPositionals: true,
      strict: true,
    });
    const [source, given, ...rest] = positionals;
    if (source === 'firebase' && given !== undefined && given !== '' && rest.length === 0) {
      const folder = path.resolve(given);
      return {
        folder,
        isDryRun: values['dry-run'],
        skipInvalid: values['skip-invalid'],
        admins: values.admin,
        reportFile: path.resolve(values.rejected ?? path.join(path.dirname(folder), 'rejected.json')),
      };
    }
  } catch (cause) {
    throw new StartError(usage, { cause });
  }
  throw new StartError(usage);
}
