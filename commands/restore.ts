/**
 * `npm run restore -- SOURCE [--at TIME] --key FILE`: restores a backup into an empty installation.
 * With `--drill` it restores into a temporary folder, checks everything, and removes the folder again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createDecryption } from '#server/backup/place/encryption.ts';
import { openBackupStore } from '#server/backup/place/open-backup-store.ts';
import { type RestoreResult, restore } from '#server/backup/restore.ts';
import { noteDrill } from '#server/backup/runs.ts';
import { DamagedBackup } from '#server/backup/snapshot/digested-lines.ts';
import { findSnapshot, timeText } from '#server/backup/snapshot/snapshot-times.ts';
import { openCurrentDatabase } from '#server/database/open.ts';
import { type Environment, readEnvironment, StartError } from '#server/environment.ts';
import { readS3 } from '#server/environment-values.ts';
import { createProgress } from './terminal/progress.ts';
import { runCommand } from './terminal/run-command.ts';

const usage = [
  'Escreva assim: npm run restore -- PASTA --key ARQUIVO-DA-CHAVE',
  '  PASTA: a pasta dos backups, ou s3 para o bucket de BACKUP_S3_*',
  '  --at 2026-11-23: o último backup até esse dia (ou 2026-11-23T08:00, pela hora de Brasília)',
  '  --drill: só ensaia, numa pasta temporária, e não muda nada',
  '  --new-secret: quando o AUTH_SECRET daquele tempo se perdeu',
].join('\n');

/** The usual exit code of a program that SIGHUP has ended. */
const hangUpCode = 129;

await runCommand(run, () => ({
  stopped: 'Parado. Nada foi restaurado; comece de novo quando quiser.',
  failed: 'Nada foi restaurado; comece de novo quando quiser.',
}));

async function run(signal: AbortSignal): Promise<string> {
  const { source, key, at, drill, newSecret } = readArguments();
  const decrypt = await createDecryption(await readKey(key));
  const store = await openBackupStore(readPlace(source));
  const snapshot = await findSnapshot(store, at, { withIncomplete: true });
  const progress = createProgress('arquivos restaurados');
  const begun = performance.now();
  try {
    const options = { store, snapshot, decrypt, newSecret, progress: progress.show, signal };
    if (!drill)
      return `${sentenceOf(await restore(readTarget(), options), snapshot)}\nAs pessoas precisam entrar de novo com a senha. Comece o servidor com npm start.`;
    const result = await inTemporaryFolder((dataDir) =>
      restore(drillTarget(dataDir), { ...options, newSecret: true }),
    );
    const seconds = Math.ceil((performance.now() - begun) / 1_000);
    // On another computer, there is no database to note it in: `npm run backup -- drilled` does.
    await recordDrill(snapshot).catch(() => {});
    return `Ensaio feito em ${seconds} s, e a cópia temporária já foi apagada. ${sentenceOf(result, snapshot)}`;
  } catch (cause) {
    if (!(cause instanceof DamagedBackup)) throw cause;
    throw new StartError(
      `O backup de ${timeText(snapshot)} está incompleto ou foi alterado: nada foi restaurado. Escolha um anterior com --at (npm run backup -- list mostra quais há).`,
      { cause },
    );
  } finally {
    progress.end();
  }
}

function readArguments() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        key: { type: 'string' },
        at: { type: 'string' },
        drill: { type: 'boolean', default: false },
        'new-secret': { type: 'boolean', default: false },
      },
    });
    const [source, ...rest] = positionals;
    const { key, at, drill, 'new-secret': newSecret } = values;
    if (source !== undefined && source !== '' && rest.length === 0 && key !== undefined)
      return { source, key, at, drill, newSecret };
  } catch (cause) {
    throw new StartError(usage, { cause });
  }
  throw new StartError(usage);
}

async function readKey(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new StartError(`O arquivo da chave, ${file}, não pôde ser lido.`, { cause });
  });
}

function readPlace(source: string) {
  if (source !== 's3') return { folder: path.resolve(source) };
  const s3 = readS3((name) => process.env[name]?.trim() || undefined, 'BACKUP_S3_', 'a pasta dos backups');
  if (!s3) throw new StartError('Para ler os backups de um bucket, escreva BACKUP_S3_ENDPOINT e os outros.');
  return { s3 };
}

/**
 * Ignores the `BACKUP_` settings. A restore does not need them, and on a new machine they may be incomplete.
 */
function readTarget(): Environment {
  const names = Object.keys(process.env).filter((name) => !name.startsWith('BACKUP_'));
  return readEnvironment(Object.fromEntries(names.map((name) => [name, process.env[name]])));
}

async function recordDrill(snapshot: string): Promise<void> {
  const database = await openCurrentDatabase(readTarget());
  try {
    await noteDrill(database, snapshot);
  } finally {
    await database.destroy();
  }
}

function drillTarget(dataDir: string): Environment {
  return readEnvironment({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
}

/**
 * Removes the folder even when the process ends early, because it contains health data. Only a killed process
 * leaves it.
 */
async function inTemporaryFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(path.join(tmpdir(), 'acolhe-ensaio-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  // The system sends SIGHUP when the terminal or its connection is lost. Without a listener, SIGHUP would end
  // the process without the event `exit`.
  process.once('SIGHUP', () => process.exit(hangUpCode));
  try {
    return await work(folder);
  } finally {
    remove();
  }
}

function sentenceOf({ rows, contents, deletedAgain, dangling }: RestoreResult, snapshot: string): string {
  const count = (table: string) => rows.get(table) ?? 0;
  return [
    `Backup de ${timeText(snapshot)}: ${count('users')} contas, ${count('activities')} práticas, ${count('files')} arquivos (${contents} com as versões), tudo conferido.`,
    ...(deletedAgain > 0
      ? [`Continuam apagadas as contas que foram apagadas depois dele: ${deletedAgain}.`]
      : []),
    ...(dangling.length > 0 ? [`Atenção, estes arquivos já faltavam no site: ${dangling.join(', ')}.`] : []),
  ].join('\n');
}
