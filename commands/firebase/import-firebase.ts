import { rm } from 'node:fs/promises';
import path from 'node:path';
import { withAsciiDomain } from '#contract/text.ts';
import { type Database, databaseKind } from '#server/database/connect.ts';
import { requireContentsFolder } from '#server/database/installation/installation.ts';
import { type Environment, isLocalhost, StartError } from '#server/environment.ts';
import { openFileStore } from '#server/storage/store/open-file-store.ts';
import { storedBytesOf } from '#server/storage/uploads/imported-contents.ts';
import type { ImportedUser } from '#server/users/import-users.ts';
import {
  checkContents,
  createContents,
  makeVersionsFolder,
  type PlannedFile,
  type Progress,
  readContents,
  whereOf,
} from './contents.ts';
import { convertLists, createRewriting, type Plan, type Rewriting } from './convert.ts';
import { convertMoods, convertUsers } from './convert-users.ts';
import { newActivityId } from './new-ids.ts';
import {
  type Export,
  isRecord,
  type OldDocument,
  type Plain,
  plainFields,
  readExport,
  UnsupportedValue,
} from './read-export.ts';
import { createReport, type Report, writeReport } from './report.ts';
import { createTarget, holdTarget, lockTarget, openEmptyTarget } from './target.ts';
import { type WritableFile, writePlan } from './write.ts';

export type ImportOptions = {
  /** The folder that `commands/firebase-export.mjs` has written. */
  folder: string;
  isDryRun: boolean;
  skipInvalid: boolean;
  /** The email addresses of the admins. */
  admins: string[];
  /** The file to which the import writes its report: what it rejects or leaves out, and why. */
  reportFile: string;
  progress: Progress;
  /** Aborted when the operator stops the import. */
  stopped: AbortSignal;
};

type Documents = Record<'users' | 'activities' | 'wordMood', Map<string, Record<string, Plain>>>;

/**
 * Imports a Firebase project into an empty installation, wholly or not at all.
 * @returns the message for the terminal
 * @throws StartError with one sentence; when the export has mistakes, also with the counts of the report
 * @throws AppError; after a stop, the reason of `stopped`
 */
export async function importFirebase(environment: Environment, options: ImportOptions): Promise<string> {
  let unlock = lockTarget(environment, false);
  let database: Database | undefined;
  let versionsFolder: string | undefined;
  try {
    database = await openEmptyTarget(environment);
    await requireStore(environment);
    const given = await readExport(options.folder);
    versionsFolder = await makeVersionsFolder(options.folder);
    const { plan, files, report } = await makePlan(given, environment, options, versionsFolder);
    for (const user of findAdmins(plan, options.admins, environment)) user.member = 'admin';
    requireQuota(files, environment);
    await writeReport(options.reportFile, report);
    const counted = countsOf(plan, files, report, options.reportFile);
    if (report.rejected.length > 0 && !options.skipInvalid)
      throw new StartError([...counted, refusalOf(report, options)].join('\n'));
    if (options.isDryRun) {
      const end =
        'Isto foi só uma conferência: nada foi importado nem mudado. Sem --dry-run, a importação é feita.';
      return [...counted, end].join('\n');
    }
    unlock ??= lockTarget(environment, true);
    database ??= await createTarget(environment);
    await requireContentsFolder(database, environment);
    const fileStore = await openFileStore(environment);
    try {
      const writing = {
        ...{ environment, database, databaseKind: databaseKind(environment), fileStore, versionsFolder },
        ...{ progress: options.progress, stopped: options.stopped },
      };
      await holdTarget(environment, () => writePlan(plan, files, writing));
    } finally {
      fileStore.close();
    }
    return [...counted, ...nextSteps(plan, options)].join('\n');
  } finally {
    if (versionsFolder !== undefined) await rm(versionsFolder, { recursive: true, force: true });
    await database?.destroy();
    unlock?.();
  }
}

/**
 * Checks that S3 responds. Skips a store on the disk, because opening it would create it.
 * @throws AppError
 */
async function requireStore(environment: Environment): Promise<void> {
  if (!environment.s3) return;
  const fileStore = await openFileStore(environment);
  try {
    await fileStore.check();
  } finally {
    fileStore.close();
  }
}

/** Checks the whole export, and converts it. Changes nothing. */
async function makePlan(
  given: Export,
  environment: Environment,
  { stopped, admins, progress }: ImportOptions,
  versionsFolder: string,
): Promise<{ plan: Plan; files: WritableFile[]; report: Report }> {
  const facts = await readContents(given.contents, progress, stopped);
  const contents = createContents(facts, given.project);
  const report = createReport();
  const documents = readDocuments(given.documents, report);
  // The first conversion finds out where each file is used. Its report is dropped, because the second
  // conversion makes the same report.
  const rewritingFor = (to: Report) => createRewriting(contents, to, environment.publicUrl);
  const first = convert(given, documents, createReport(), rewritingFor);
  findAdmins(first, admins, environment);
  contents.planRest(report);
  const planned = [...contents.planned.values()];
  await checkContents(planned, environment, { folder: versionsFolder, progress, stopped });
  for (const { old, refusal } of planned) if (refusal !== undefined) report.reject(whereOf(old), '', refusal);
  const plan = convert(given, documents, report, rewritingFor);
  const sha256 = new Map(facts.map((one) => [one.old, one.sha256]));
  const files = planned.flatMap((one) => writableFile(one, sha256.get(one.old) ?? ''));
  return { plan, files, report };
}

function writableFile(planned: PlannedFile, sha256: string): WritableFile[] {
  const { old, checked, path, ownerId, key, token } = planned;
  if (!checked) return [];
  const createdAt = old.createdAt ?? Date.now();
  return [
    { planned, file: { ...checked, path, ownerId, key, token, sha256, createdAt, sizeBytes: old.sizeBytes } },
  ];
}

function readDocuments(given: OldDocument[], report: Report): Documents {
  const documents: Documents = { users: new Map(), activities: new Map(), wordMood: new Map() };
  for (const { collection, id, fields } of given) {
    const place = `${collection}/${id}`;
    const known = Object.entries(documents).find(([name]) => name === collection)?.[1];
    if (!known) {
      report.leaveOut(place, '', 'Esta coleção não existe aqui.');
      continue;
    }
    if (known.has(id)) {
      report.reject(place, '', 'O documento aparece duas vezes na exportação.');
      continue;
    }
    try {
      known.set(id, plainFields(fields));
    } catch (error) {
      if (!(error instanceof UnsupportedValue)) throw error;
      report.reject(place, '', error.message);
    }
  }
  return documents;
}

function convert(
  given: Export,
  documents: Documents,
  report: Report,
  rewritingFor: (report: Report) => Rewriting,
): Plan {
  const tools = { report, rewriting: rewritingFor(report) };
  const { users, signIns, newIds } = convertUsers(given, documents.users, tools);
  const renamed = new Map([...newIds].filter(([old, next]) => old !== next));
  for (const fields of documents.activities.values())
    for (const item of Object.values(fields).flat())
      if (isRecord(item) && typeof item.id === 'string' && newActivityId(item.id) !== item.id)
        renamed.set(item.id, newActivityId(item.id));
  const moods = convertMoods(documents.wordMood, { newIds, renamed }, tools);
  return { users, signIns, moods, lists: convertLists(documents.activities, tools) };
}

/** @throws StartError for an email address that has no imported account, or that may belong to a stranger */
function findAdmins({ users }: Plan, emails: string[], { publicUrl }: Environment): ImportedUser[] {
  return emails.map((email) => {
    const user = users.find((one) => one.email === withAsciiDomain(email).toLowerCase());
    if (!user)
      throw new StartError(
        `Na exportação não há conta que se possa importar com o e-mail ${email}. Nada foi importado.`,
      );
    if (!user.emailVerified && !isLocalhost(publicUrl))
      throw new StartError(
        `${email} não confirmou o e-mail no Firebase: outra pessoa pode ter se cadastrado com ele. Nada foi importado. Importe sem --admin ${email}; se você tem certeza de quem é, depois: npm run admin -- grant ${email} --unverified`,
      );
    return user;
  });
}

function requireQuota(files: WritableFile[], { fileLimits: { quotaBytes } }: Environment): void {
  const bytes = files.reduce((sum, { file }) => sum + storedBytesOf(file), 0);
  if (bytes <= quotaBytes) return;
  throw new StartError(
    `Os arquivos ocupariam ${Math.ceil(bytes / 1_000_000)} MB, mais do que FILES_QUOTA_MB permite. Nada foi importado.`,
  );
}

const number = (count: number) => count.toLocaleString('pt-BR');

function countsOf(
  { users, moods, lists, signIns }: Plan,
  files: WritableFile[],
  report: Report,
  reportFile: string,
) {
  const activities = [...lists.values()].reduce((sum, list) => sum + list.length, 0);
  const { rejected, notImported, changed, saidToBeAdmin } = report;
  const admins = users.filter(({ member }) => member === 'admin').length;
  return [
    `Contas: ${number(users.length)}, das quais ${number(signIns.filter((one) => one.password !== null).length)} com senha e ${number(signIns.filter((one) => one.googleId !== null).length)} com Google; da administração: ${number(admins)}`,
    `Práticas: ${number(activities)}`,
    `Registros de humor: ${number(moods.length)}`,
    `Arquivos: ${number(files.length)}`,
    `Recusados: ${number(rejected.length)}; deixados de fora: ${number(notImported.length)}; trazidos com uma mudança: ${number(changed.length)}. Os motivos estão em ${reportFile}`,
    ...(saidToBeAdmin.length > 0
      ? [
          `${saidToBeAdmin.length === 1 ? '1 conta diz' : `${number(saidToBeAdmin.length)} contas dizem`} ser da administração. Isto não vale, porque no sistema antigo cada pessoa podia escrever isso. Veja saidToBeAdmin em ${reportFile}, e nomeie quem for mesmo, com --admin e-mail.`,
        ]
      : []),
  ];
}

const refusalOf = ({ rejected }: Report, { reportFile }: ImportOptions) =>
  `Nada foi importado, porque ${rejected.length === 1 ? 'há 1 recusa' : `há ${number(rejected.length)} recusas`}. Leia ${path.basename(reportFile)}: corrija na origem e exporte de novo, ou repita com --skip-invalid para importar o resto.`;

function nextSteps({ users }: Plan, { folder }: ImportOptions): string[] {
  const hasAdmin = users.some(({ member }) => member === 'admin');
  return [
    'Pronto: tudo isso foi importado. Cada pessoa entra com a mesma senha de antes.',
    hasAdmin
      ? 'Agora comece o servidor com npm start.'
      : 'Agora comece o servidor com npm start e abra o link que ele mostra para criar a conta de administração.',
    `Quando estiver tudo certo, apague a pasta ${folder}: ela contém dados de saúde e a chave das senhas antigas.`,
  ];
}
