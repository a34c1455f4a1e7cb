/**
 * `npm run import -- firebase FOLDER [--dry-run] [--admin EMAIL …] [--skip-invalid] [--rejected FILE]`: imports what
 * `commands/firebase-export.mjs` has exported from a Firebase project into an empty installation. No server may run
 * on it. See docs/import.md.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readEnvironment, StartError } from '#server/environment.ts';
import { reasonOf } from '#server/http/after-response.ts';
import { AppError } from '#server/http/errors.ts';
import { type ImportOptions, importFirebase } from './firebase/import-firebase.ts';

const usage = [
  'Escreva assim: npm run import -- firebase PASTA',
  '  --dry-run              só confere, e não muda nada',
  '  --admin E-MAIL         esta conta será da administração; pode ser repetido',
  '  --skip-invalid         importa o resto, mesmo que algo seja recusado',
  '  --rejected ARQUIVO     onde escrever o que foi recusado; sem isso, rejected.json ao lado da PASTA',
].join('\n');

/** The usual exit code of a program that Ctrl+C ends: 128 and the number of SIGINT. */
const stoppedCode = 130;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // The second time the process ends at once, which is harmless, too.
    if (stop.signal.aborted) process.exit(stoppedCode);
    console.error('Parando…');
    stop.abort();
  });

try {
  const { message, isRefused } = await importFirebase(readEnvironment(), readOptions());
  (isRefused ? console.error : console.log)(message);
  if (isRefused) process.exitCode = 1;
} catch (error) {
  if (stop.signal.aborted) {
    console.error('A importação foi interrompida. Nada foi importado; ela pode ser repetida.');
    process.exitCode = stoppedCode;
  } else if (error instanceof StartError) fail(error.message);
  else if (error instanceof AppError) fail(`${error.message} Nada foi importado.`);
  else {
    const { code, stack } = reasonOf(error);
    const isDisk = code === 'ENOSPC' || code === 'EACCES' || code === 'EROFS' || code === 'ENOENT';
    fail(
      isDisk
        ? `Um arquivo não pôde ser gravado (${code}): veja o espaço em disco e as permissões das pastas. Nada foi importado.`
        : `A importação falhou por um motivo inesperado. Nada foi importado. Para quem programa:\n${stack}`,
    );
  }
}

function fail(message: string) {
  console.error(message);
  process.exitCode = 1;
}

/** @throws StartError with the usage */
function readOptions(): ImportOptions {
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
        stopped: stop.signal,
      };
    }
  } catch (cause) {
    throw new StartError(usage, { cause });
  }
  throw new StartError(usage);
}
