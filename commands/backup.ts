/**
 * `npm run backup -- key`: makes the key pair for the encryption of backups.
 * `npm run backup`, `npm run backup -- now`: makes a backup. A server may be running. Needs `--new-place`
 * when the earlier backups are in another place.
 * `npm run backup -- verify [--at TIME]`: checks every byte of the newest backup, or of the one made at TIME.
 * `npm run backup -- list`: lists the backups.
 * `npm run backup -- drilled [--at TIME]`: notes that a drill on another computer has restored a backup.
 */
import { parseArgs } from 'node:util';
import { readAuthSecret } from '#server/auth/secret.ts';
import { type BackupContext, backUp, warningsOf } from '#server/backup/back-up.ts';
import type { BackupStore } from '#server/backup/place/backup-store.ts';
import { createKeyPair } from '#server/backup/place/encryption.ts';
import { openBackupStore } from '#server/backup/place/open-backup-store.ts';
import { noteCheck, noteDrill } from '#server/backup/runs.ts';
import { DamagedBackup } from '#server/backup/snapshot/digested-lines.ts';
import { findSnapshots, readManifest } from '#server/backup/snapshot/manifests.ts';
import { NewerBackup } from '#server/backup/snapshot/snapshot-format.ts';
import { findSnapshot, incompleteText, timeText } from '#server/backup/snapshot/snapshot-times.ts';
import { verifySnapshot } from '#server/backup/verify.ts';
import { databaseKind } from '#server/database/connect.ts';
import { openCurrentDatabase } from '#server/database/open.ts';
import { readEnvironment, StartError } from '#server/environment.ts';
import { openFileStore } from '#server/storage/store/open-file-store.ts';
import { askLine } from './terminal/ask.ts';
import { createProgress, sizeText } from './terminal/progress.ts';
import { runCommand } from './terminal/run-command.ts';

const usage = [
  'Escreva assim: npm run backup -- key    cria as chaves dos backups',
  '               npm run backup           faz um backup agora (com --new-place, num lugar novo)',
  '               npm run backup -- verify confere cada byte do mais novo (ou --at 2026-11-23)',
  '               npm run backup -- list   mostra os backups',
  '               npm run backup -- drilled anota um ensaio feito em outro computador (ou --at)',
].join('\n');

/** Tells the operator in which state each subcommand leaves the backups when it fails or is stopped. */
const leftBy = {
  key: 'Nenhuma chave vale: comece de novo.',
  now: 'O backup não foi feito; os anteriores continuam inteiros.',
  verify: 'A conferência não terminou; os backups continuam como estavam.',
  list: 'A lista não está completa; os backups continuam como estavam.',
  drilled: 'O ensaio não foi anotado.',
};
type Task = keyof typeof leftBy;

let task: Task = 'now';
await runCommand(run, () => ({ stopped: `Parado. ${leftBy[task]}`, failed: leftBy[task] }));

async function run(signal: AbortSignal): Promise<string> {
  const { at, newDestination, ...given } = readArguments();
  task = given.task;
  if (task === 'key') return makeKey(signal);
  if (task === 'now') return backUpNow(signal, newDestination);
  const { backup } = readEnvironment();
  if (!backup) throw new StartError('Falta o lugar dos backups: escreva BACKUP_DIR e BACKUP_RECIPIENT.');
  const store = await openBackupStore(backup.destination);
  if (task === 'list') return list(store, signal);
  const snapshot = await findSnapshot(store, at);
  return task === 'drilled' ? recordDrill(snapshot) : verify(store, snapshot, signal);
}

function readArguments(): { task: Task; at: string | undefined; newDestination: boolean } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { at: { type: 'string' }, 'new-place': { type: 'boolean', default: false } },
    });
    const [task = 'now', ...rest] = positionals;
    const { at, 'new-place': newDestination } = values;
    const fits =
      rest.length === 0 &&
      (at === undefined || task === 'verify' || task === 'drilled') &&
      (!newDestination || task === 'now');
    if (fits && isTask(task)) return { task, at, newDestination };
  } catch (cause) {
    throw new StartError(usage, { cause });
  }
  throw new StartError(usage);
}

function isTask(name: string): name is Task {
  return Object.hasOwn(leftBy, name);
}

async function backUpNow(signal: AbortSignal, newDestination: boolean): Promise<string> {
  const progress = createProgress('arquivos copiados');
  const made = await withInstallation((context) =>
    backUp(context, { progress: progress.show, signal, newDestination }),
  ).finally(progress.end);
  if (!made) throw new StartError('O backup não foi feito.');
  const { rows, files, storedBytes, destination } = made;
  const counted = `${rows.get('users') ?? 0} contas, ${rows.get('activities') ?? 0} práticas, ${files} arquivos`;
  return [
    `Backup feito: ${counted}. Foram gravados ${sizeText(storedBytes)} em ${destination}.`,
    ...warningsOf(made),
  ].join('\n');
}

async function withInstallation<Result>(work: (context: BackupContext) => Promise<Result>): Promise<Result> {
  const environment = readEnvironment();
  const database = await openCurrentDatabase(environment);
  try {
    const fileStore = await openFileStore(environment);
    try {
      const authSecret = await readAuthSecret(environment);
      return await work({
        environment,
        database,
        databaseKind: databaseKind(environment),
        fileStore,
        authSecret,
      });
    } finally {
      fileStore.close();
    }
  } finally {
    await database.destroy();
  }
}

async function verify(store: BackupStore, snapshot: string, signal: AbortSignal): Promise<string> {
  const progress = createProgress('partes conferidas');
  const { objects, bytes, damaged, isMarked } = await verifySnapshot(store, snapshot, {
    progress: progress.show,
    signal,
  })
    .catch((cause: unknown) => {
      if (!(cause instanceof DamagedBackup)) throw cause;
      throw new StartError(`O backup de ${timeText(snapshot)} está danificado: a lista das suas partes.`, {
        cause,
      });
    })
    .finally(progress.end);
  // Ignores errors, because a machine without the database can also check backups.
  await withInstallation(({ database }) => noteCheck(database, snapshot, damaged.length)).catch(() => {});
  if (damaged.length > 0)
    throw new StartError(
      [
        `O backup de ${timeText(snapshot)} está danificado. Faltam ou mudaram:`,
        ...damaged.map((name) => `  ${name}`),
        isMarked
          ? 'Rode npm run backup: ele grava de novo os arquivos que o site ainda tem. Confira o disco dos backups.'
          : 'O lugar dos backups não aceita gravação, e o próximo backup ainda usa estas partes. Rode verify no servidor.',
      ].join('\n'),
    );
  return [
    `O backup de ${timeText(snapshot)} está inteiro: ${objects} partes, ${sizeText(bytes)}, cada byte conferido.`,
    ...incompleteText((await findSnapshots(store)).incomplete),
  ].join('\n');
}

async function recordDrill(snapshot: string): Promise<string> {
  if (await withInstallation(({ database }) => noteDrill(database, snapshot)))
    return `Anotado: o ensaio do backup de ${timeText(snapshot)} deu certo.`;
  throw new StartError(`O backup de ${timeText(snapshot)} não foi feito por este site. Nada foi anotado.`);
}

async function list(store: BackupStore, signal: AbortSignal): Promise<string> {
  const progress = createProgress('backups lidos');
  const lines: string[] = [];
  try {
    const { complete, incomplete } = await findSnapshots(store, (count) => {
      signal.throwIfAborted();
      progress.show(count, undefined, 'objetos listados');
    });
    const snapshots = [...complete, ...incomplete].sort();
    for (const [index, snapshot] of snapshots.entries()) {
      signal.throwIfAborted();
      progress.show(index, snapshots.length);
      lines.push(
        incomplete.includes(snapshot)
          ? `  ${timeText(snapshot)}   incompleto: falta a lista das suas partes`
          : await lineOf(store, snapshot),
      );
    }
  } finally {
    progress.end();
  }
  if (lines.length === 0) return `Ainda não há backups em ${store.destination}.`;
  return [`Backups em ${store.destination}:`, ...lines].join('\n');
}

async function lineOf(store: BackupStore, snapshot: string): Promise<string> {
  let objects = 0;
  let bytes = 0;
  try {
    for await (const object of readManifest(store, snapshot)) {
      objects += 1;
      bytes += object.bytes;
    }
    return `  ${timeText(snapshot)}   ${objects} partes, ${sizeText(bytes)}`;
  } catch (error) {
    if (error instanceof DamagedBackup) return `  ${timeText(snapshot)}   danificado`;
    if (error instanceof NewerBackup)
      return `  ${timeText(snapshot)}   de uma versão mais nova deste programa`;
    throw error;
  }
}

/**
 * Makes a key pair and shows a sheet to print. With DIARY_KEY, the sheet also has the master key of the
 * diaries, which no backup contains then. Then asks for the private key, to check that the operator has
 * printed the sheet. Writes nothing to the disk.
 * @returns the last message for the terminal
 * @throws StartError when the typed key differs from the private key
 */
async function makeKey(signal: AbortSignal): Promise<string> {
  const { identity, recipient } = await createKeyPair();
  console.log(sheet(identity, recipient, process.env.DIARY_KEY));
  const typed = await askLine('Digite a chave privada, a partir do papel: ', signal);
  if (typed.replaceAll(/\s/g, '').toUpperCase() !== identity)
    throw new StartError('A chave digitada não é a do papel. Nenhuma chave vale: comece de novo.');
  return `\nA chave está certa. Escreva no ambiente do servidor:\n  BACKUP_RECIPIENT=${recipient}`;
}

function sheet(identity: string, recipient: string, diaryKey: string | undefined): string {
  return `
──────────────────────────────────────────────────────────────────────────
  CHAVE DOS BACKUPS DO SITE DA CLÍNICA                Guarde em lugar seguro

  Chave privada, que abre os backups:

    ${identity}

  Chave pública, que só os fecha (vai em BACKUP_RECIPIENT):

    ${recipient}
${diaryKey ? diaryKeyLines(diaryKey) : ''}
  Quem tem a chave privada e um backup lê os dados de saúde dos pacientes.
  Sem a chave privada, ninguém abre os backups, nem a clínica.
  Imprima duas folhas e guarde-as em dois lugares, longe do servidor.
  Não a deixe no servidor, em e-mail nem em foto.

  Para restaurar: copie a chave privada para um arquivo, siga docs/backup.md
  e depois apague o arquivo.
──────────────────────────────────────────────────────────────────────────
`;
}

function diaryKeyLines(diaryKey: string): string {
  return `
  Chave dos diários (DIARY_KEY), que nenhum backup contém:

    ${diaryKey}
`;
}
