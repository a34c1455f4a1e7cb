import { randomUUID } from 'node:crypto';
import type { FieldIssue } from '#contract/errors.ts';
import { paths } from '#contract/paths.ts';
import { checkSection } from '#contract/site/checks.ts';
import { type SiteContent, sectionNames } from '#contract/site/content.ts';
import { warningsIn } from '#contract/site/warnings.ts';
import { StartError } from '#server/environment.ts';
import { AppError } from '#server/http/errors.ts';
import { getVersion, sampleContent } from '#server/site/content.ts';
import { publishDraft, readDraft, replaceDraft } from '#server/site/drafts.ts';
import { lockKeptFiles } from '#server/site/site-files.ts';
import { deleteFile, getFileByToken } from '#server/storage/files/files.ts';
import { storeFile } from '#server/storage/uploads/receive.ts';
import { closeFiles, complaintAbout, type ImportedFile, readImport } from './read-import.ts';
import { type SiteContext, setTextAt, storedFileOf, textAt } from './site-files.ts';

export type ImportOptions = {
  publish: boolean;
  'confirm-warnings': boolean;
  'replace-draft': boolean;
  /** The email address of the admin who is named as author; needed if there are several admins. */
  admin?: string | undefined;
};

/**
 * Puts an exported file into the draft, or publishes it. Sections that the file lacks keep their published
 * content.
 * @param jsonFile the name of the JSON file, with the folder of its files beside it
 * @returns the message for the terminal
 * @throws StartError with one line for each mistake of the file. Nothing has changed then.
 */
export async function importSite(
  context: SiteContext,
  jsonFile: string,
  options: ImportOptions,
): Promise<string> {
  const { database, environment } = context;
  const editorId = await findAdmin(context, options.admin);
  const { sections, files } = await readImport(environment, jsonFile);
  try {
    const draft = await readDraft(database);
    const unpublished = draft.sections.filter(({ changed }) => changed).map(({ section }) => section);
    if (unpublished.length > 0 && !options['replace-draft'])
      throw new StartError(
        `No rascunho há mudanças que ainda não foram publicadas (${unpublished.join(', ')}). Nada foi importado. Publique-as em ${environment.publicUrl}/admin/site, ou descarte-as com --replace-draft.`,
      );
    const published = (await getVersion(database, draft.version)).content;
    const content: SiteContent = { ...published, ...sections };
    if (options.publish) requirePublishable(content, options['confirm-warnings']);

    const stored = await storeFiles(context, { files, published, editorId });
    for (const { field, url } of stored) setTextAt(content, field.path, url);
    const { tag } = await replaceDraft(database, { tag: draft.tag, sections: content, editorId }).catch(
      async (error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'documents/precondition-failed') throw error;
        await removeNew(context, stored);
        throw new StartError('O rascunho mudou enquanto isso. Nada foi importado. Tente de novo.');
      },
    );
    const changed = (await readDraft(database)).sections.filter((one) => one.changed);
    if (changed.length === 0) return 'Nada mudou: o site publicado já é assim.';
    const names = changed.map(({ section }) => section).join(', ');
    if (options.publish) {
      const version = await publish(context, { tag, publisherId: editorId });
      return `O site está publicado, versão ${version}. Mudou: ${names}.`;
    }
    const left = [...problemsIn(content), ...warningLines(content)];
    return [
      `No rascunho mudou: ${names}. Veja e publique em ${environment.publicUrl}/admin/site`,
      ...(left.length > 0 ? ['Antes de publicar, corrija ou confirme:', ...left] : []),
    ].join('\n');
  } finally {
    await closeFiles(files);
  }
}

/** Finds the admin in whose name the import is made. @throws StartError */
async function findAdmin({ database }: SiteContext, email: string | undefined): Promise<string> {
  const admins = await database
    .selectFrom('users')
    .select(['id', 'email'])
    .where('member', '=', 'admin')
    .execute();
  if (email !== undefined) {
    const found = admins.find((admin) => admin.email === email.toLowerCase());
    if (found) return found.id;
    throw new StartError(`Não há conta de administração com o e-mail ${email}.`);
  }
  const [only, ...others] = admins;
  if (!only)
    throw new StartError(
      'Ainda não há conta de administração. Crie antes a sua, com o link que npm start mostra.',
    );
  if (others.length > 0)
    throw new StartError(
      'Há mais de uma conta de administração. Diga em nome de quem: --admin pessoa@exemplo.com.br',
    );
  return only.id;
}

/** @throws StartError with what prevents the publication */
function requirePublishable(content: SiteContent, warningsConfirmed: boolean): void {
  const problems = problemsIn(content);
  if (problems.length > 0)
    throw new StartError(
      ['O site não pode ser publicado assim. Nada mudou. Corrija:', ...problems].join('\n'),
    );
  const warnings = warningLines(content);
  if (warnings.length > 0 && !warningsConfirmed)
    throw new StartError(
      ['Confira estes avisos. Nada mudou. Para publicar assim mesmo: --confirm-warnings', ...warnings].join(
        '\n',
      ),
    );
}

const problemsIn = (content: SiteContent): string[] =>
  sectionNames.flatMap((name) =>
    checkSection(name, content[name]).problems.map(({ path, message }) =>
      lineOf({ path: `${name}.${path}`, message }),
    ),
  );

const warningLines = (content: SiteContent): string[] =>
  warningsIn(content, sampleContent.content).map(({ section, path, message, words }) =>
    lineOf({ path: `${section}.${path}`, message: `“${words}”: ${message}` }),
  );

const lineOf = ({ path, message }: FieldIssue) => `  ${path}: ${message}`;

type Stored = { field: ImportedFile['field']; url: string; newPath: string | undefined };

/**
 * Stores the files of the import. A field whose published file has the same content keeps that file.
 * @throws StartError when a file cannot be stored. The other new files are then removed.
 */
async function storeFiles(
  context: SiteContext,
  { files, published, editorId }: { files: ImportedFile[]; published: SiteContent; editorId: string },
): Promise<Stored[]> {
  const stored: Stored[] = [];
  const closing = new AbortController().signal;
  for (const { field, name, kind, sizeBytes, sha256, open } of files) {
    const current = textAt(published, field.path) ?? '';
    const { path, token } = storedFileOf(current) ?? {};
    const file =
      path !== undefined && token !== undefined
        ? await getFileByToken(context.database, path, token).catch(() => undefined)
        : undefined;
    if (file?.sha256 === sha256) {
      stored.push({ field, url: current, newPath: undefined });
      continue;
    }
    const newPath = `site/${field.folder}/${randomUUID()}`;
    const upload = {
      ownerId: editorId,
      byEditor: true,
      kind,
      path: newPath,
      declaredType: '',
      sizeBytes,
      sha256,
    };
    try {
      const { token } = await storeFile(context, upload, { content: open(), closing });
      stored.push({ field, url: paths.storage.file(newPath, token), newPath });
    } catch (cause) {
      await removeNew(context, stored);
      if (!(cause instanceof AppError)) throw cause;
      const line = lineOf({ path: field.path.join('.'), message: `${name} ${complaintAbout(cause, kind)}` });
      throw new StartError(`Nada foi importado. Corrija:\n${line}`, { cause });
    }
  }
  return stored;
}

async function removeNew(context: SiteContext, stored: Stored[]): Promise<void> {
  for (const { newPath } of stored)
    if (newPath !== undefined) await deleteFile(context, newPath, lockKeptFiles);
}

/** @returns the new version @throws StartError when an admin has changed the draft meanwhile */
async function publish(
  { database }: SiteContext,
  { tag, publisherId }: { tag: string; publisherId: string },
): Promise<number> {
  const note = 'Importado com npm run site';
  // requirePublishable has already checked the warnings.
  const publication = { tag, note, warningsConfirmed: true, publisherId };
  try {
    return (await publishDraft(database, publication)).version;
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    const reason =
      cause.code === 'documents/precondition-failed'
        ? ['Outra pessoa mudou o rascunho ao mesmo tempo.']
        : [cause.message, ...(cause.issues ?? []).map(lineOf)];
    throw new StartError(['O conteúdo está no rascunho, mas não foi publicado.', ...reason].join('\n'), {
      cause,
    });
  }
}
