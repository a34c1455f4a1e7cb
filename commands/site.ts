/**
 * `npm run site -- export FOLDER|FILE.json`: writes the published content of the site to a JSON file, and its
 * pictures and its sound to the folder `arquivos` beside it.
 * `npm run site -- import FILE.json`: puts such a file into the draft, or publishes it.
 * `npm run site -- delete-file PATH`: says what uses a stored file, for example one whose content the disk
 * has lost; with `--confirm`, deletes it.
 * A server may be running.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { listFileReferences } from '#server/backup/file-references.ts';
import { databaseKind } from '#server/database/connect.ts';
import { openCurrentDatabase } from '#server/database/open.ts';
import { type Environment, readEnvironment, StartError } from '#server/environment.ts';
import { AppError } from '#server/http/errors.ts';
import { deleteFile, getFile } from '#server/storage/files/files.ts';
import { openFileStore } from '#server/storage/store/open-file-store.ts';
import { exportSite } from './site/export-site.ts';
import { importSite } from './site/import-site.ts';
import type { SiteContext } from './site/site-files.ts';
import { failureText } from './terminal/run-command.ts';

const usage = [
  'Escreva assim: npm run site -- export PASTA, ou npm run site -- import ARQUIVO.json',
  '(ou delete-file CAMINHO --confirm, para apagar um arquivo que o disco perdeu, como postAudios/mind/abc)',
  '  export: --overwrite escreve por cima de uma exportação anterior',
  '  import: --publish publica, em vez de deixar no rascunho',
  '          --confirm-warnings publica mesmo com avisos',
  '          --replace-draft descarta as mudanças do rascunho que ainda não foram publicadas',
  '          --admin pessoa@exemplo.com.br diz em nome de quem, se há mais de uma conta de administração',
].join('\n');

/** Tells the operator what each subcommand leaves behind when it fails. */
const leftBy = new Map([
  ['export', 'A exportação não está inteira.'],
  ['import', 'Veja em /admin/site o que já foi importado.'],
  ['delete-file', 'Repita o comando: ele diz se o arquivo já foi apagado.'],
]);

try {
  console.log(await run());
} catch (error) {
  console.error(failureText(error, leftBy.get(process.argv[2] ?? '') ?? ''));
  process.exitCode = 1;
}

/** @returns the message for the terminal */
async function run(): Promise<string> {
  const task = process.argv[2];
  if (task === 'export') {
    const { target, options } = readArguments({ overwrite: { type: 'boolean', default: false } });
    return withSite((context) => exportSite(context, target, options));
  }
  if (task === 'import') {
    const { target, options } = readArguments({
      publish: { type: 'boolean', default: false },
      'confirm-warnings': { type: 'boolean', default: false },
      'replace-draft': { type: 'boolean', default: false },
      admin: { type: 'string' },
    });
    return withSite((context) => importSite(context, target, options));
  }
  if (task === 'delete-file') {
    const { target, options } = readArguments({ confirm: { type: 'boolean', default: false } });
    return withSite((context) => deleteSiteFile(context, target, options.confirm));
  }
  throw new StartError(usage);
}

/** Reads the argument after the subcommand, and the options. @throws StartError with the usage */
function readArguments<Options extends NonNullable<Parameters<typeof parseArgs>[0]>['options']>(
  options: Options & {},
) {
  try {
    const args = process.argv.slice(3);
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true, strict: true });
    const [target, ...rest] = positionals;
    if (target !== undefined && target !== '' && rest.length === 0) return { target, options: values };
  } catch (cause) {
    throw new StartError(usage, { cause });
  }
  throw new StartError(usage);
}

async function withSite(work: (context: SiteContext) => Promise<string>): Promise<string> {
  const environment = readEnvironment();
  const database = await openCurrentDatabase(environment);
  try {
    requireFolder(environment);
    const fileStore = await openFileStore(environment);
    try {
      return await work({ environment, database, databaseKind: databaseKind(environment), fileStore });
    } finally {
      fileStore.close();
    }
  } finally {
    await database.destroy();
  }
}

/** Requires the data folder. Otherwise files would go to a folder that the server does not use. */
function requireFolder({ s3, dataDir }: Environment) {
  if (!s3 && !existsSync(dataDir))
    throw new StartError(`A pasta de dados ${dataDir} não existe: escreva em DATA_DIR a do servidor.`);
}

/**
 * Deletes a stored file, even one that a page uses: no backup is complete while the content of a file is
 * lost.
 * @param path for example `postAudios/mind/abc`
 * @returns the message for the terminal
 * @throws StartError if there is no such file, or if the deletion is not confirmed
 */
async function deleteSiteFile(
  { database, databaseKind, fileStore }: SiteContext,
  path: string,
  isConfirmed: boolean,
): Promise<string> {
  const references = await listFileReferences(database);
  const uses = [...new Set(references.filter((one) => one.path === path).map(({ usedIn }) => usedIn))];
  try {
    await getFile(database, path);
    const use = uses.length > 0 ? `usado em: ${uses.join(', ')}` : 'que nenhuma página usa';
    if (!isConfirmed)
      throw new StartError(
        `O arquivo ${path}, ${use}, não volta depois de apagado. Nada foi apagado. Para continuar: npm run site -- delete-file ${path} --confirm`,
      );
    // A version of the site content cannot keep the file, because its content may be lost.
    await deleteFile({ database, databaseKind, fileStore }, path, async () => new Set());
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'storage/object-not-found') throw cause;
    throw new StartError(`Não há um arquivo ${path}. Nada foi apagado.`, { cause });
  }
  return uses.length > 0
    ? `O arquivo ${path} foi apagado. Ainda usam este arquivo: ${uses.join(', ')}. Na área de administração, escolha outro.`
    : `O arquivo ${path} foi apagado. Nenhuma página o usava.`;
}
