import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import sharp from 'sharp';
import { checkSection } from '#contract/site/checks.ts';
import { sectionNames } from '#contract/site/content.ts';
import { createVersionReader } from '#server/database/versions.ts';
import { StartError } from '#server/environment.ts';
import { createContentSource } from '#server/site/content.ts';
import { getFileByToken, type StoredFile } from '#server/storage/files/files.ts';
import { versionKey } from '#server/storage/files/pictures.ts';
import { ContentMissing } from '#server/storage/store/file-store.ts';
import { fileFields, filesFolder, type SiteContext, setTextAt, storedFileOf, textAt } from './site-files.ts';

const extensions: Record<string, string> = {
  ...{ 'image/jpeg': 'jpg', 'image/png': 'png', 'image/webp': 'webp', 'image/avif': 'avif' },
  ...{ 'audio/mpeg': 'mp3', 'audio/mp4': 'm4a', 'audio/aac': 'aac', 'audio/ogg': 'ogg', 'audio/wav': 'wav' },
};
const possibleNames = fileFields.flatMap(({ name }) =>
  Object.values(extensions).map((extension) => `${name}.${extension}`),
);

/**
 * Writes the published content and its files.
 * @param target the folder in which to write `site.json`, or the name of the JSON file
 * @returns the message for the terminal
 * @throws StartError when there is an earlier export, or a file is missing
 */
export async function exportSite(
  context: SiteContext,
  target: string,
  { overwrite }: { overwrite: boolean },
): Promise<string> {
  const jsonFile = path.resolve(target.endsWith('.json') ? target : path.join(target, 'site.json'));
  const folder = path.join(path.dirname(jsonFile), filesFolder);
  const taken = [jsonFile, folder].find(existsSync);
  if (taken !== undefined && !overwrite)
    throw new StartError(
      `${taken} já existe. Nada foi escrito. Escolha outra pasta, ou escreva por cima com --overwrite.`,
    );

  const { database } = context;
  const { version, content } = await createContentSource(database, createVersionReader(database)).read();
  // `checkSection` puts the fields in the order of the schema, so that two exports can be compared.
  const exported: Record<string, unknown> = Object.fromEntries(
    sectionNames.map((name) => [name, checkSection(name, content[name]).content ?? content[name]]),
  );
  const files = new Map<string, StoredFile>();
  for (const { path: fieldPath, name } of fileFields) {
    const stored = storedFileOf(textAt(exported, fieldPath) ?? '');
    if (!stored) continue;
    const file = await getFileByToken(context.database, stored.path, stored.token).catch((cause: unknown) => {
      throw new StartError(
        `O arquivo de ${fieldPath.join('.')} não existe mais. Nada foi escrito. Escolha outro em /admin/site e publique.`,
        { cause },
      );
    });
    const fileName = `${name}.${extensions[file.contentType] ?? 'bin'}`;
    files.set(fileName, file);
    setTextAt(exported, fieldPath, `${filesFolder}/${fileName}`);
  }

  const created = await mkdir(files.size > 0 ? folder : path.dirname(jsonFile), { recursive: true }).catch(
    refuse(folder),
  );
  try {
    for (const [name, file] of files)
      await replaceFile(path.join(folder, name), async (part) =>
        pipeline(await openContent(context, file), createWriteStream(part)),
      );
    await replaceFile(jsonFile, (part) => writeFile(part, `${JSON.stringify(exported, null, 2)}\n`));
  } catch (error) {
    // Removes a folder that this export created: the next attempt must not find it without its JSON file.
    if (created !== undefined) await rm(created, { recursive: true, force: true });
    if (!(error instanceof ContentMissing)) throw error;
    throw new StartError(
      'Um arquivo do site está no banco de dados, mas o conteúdo dele se perdeu. Confira DATA_DIR e S3_ENDPOINT.',
      { cause: error },
    );
  }
  // Removes the files of an earlier export. Files with other names do not come from an export.
  for (const name of possibleNames.filter((one) => !files.has(one)))
    await rm(path.join(folder, name), { force: true }).catch(() => {});

  const count = files.size === 1 ? '1 arquivo' : `${files.size} arquivos`;
  return [
    `O conteúdo do site está em ${jsonFile}${files.size > 0 ? `, com ${count} em ${folder}` : ''}.`,
    ...(version === 0 ? ['É o conteúdo de exemplo: a clínica ainda não publicou o dela.'] : []),
  ].join('\n');
}

/**
 * Reads the original of a file, so that an import stores the same bytes. Metadata of a picture can tell where
 * the photo was taken. If the original has metadata, reads the version that visitors get, which has none.
 */
async function openContent({ fileStore }: SiteContext, file: StoredFile): Promise<Readable> {
  const original = () => fileStore.read(file.key);
  if (!file.contentType.startsWith('image/')) return original();
  const content = await buffer(await original());
  const { exif, xmp, iptc, comments } = await sharp(content).metadata();
  const hasMetadata = [exif, xmp, iptc, comments].some((found) => found !== undefined);
  return hasMetadata ? fileStore.read(versionKey(file.key, 'full')) : Readable.from([content]);
}

/** Writes to `<file>.part` and then renames it, so that an interrupted export leaves no incomplete file. */
async function replaceFile(file: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = `${file}.part`;
  try {
    await rm(part, { force: true });
    await write(part);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    refuse(file)(error);
  }
}

/** @throws StartError for an error of the file system; rethrows every other error */
const refuse = (place: string) => (error: unknown) => {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) throw error;
  throw new StartError(`Não foi possível escrever ${place} (${code}).`, { cause: error });
};
