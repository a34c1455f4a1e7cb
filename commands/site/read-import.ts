import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, lstat, open, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { type ErrorCode, errorMessages, type FieldIssue } from '#contract/errors.ts';
import { checkSection } from '#contract/site/checks.ts';
import { type SiteContent, sectionNames } from '#contract/site/content.ts';
import { type FileKind, kindOfFile, uploadFormats } from '#contract/storage.ts';
import { type Environment, StartError } from '#server/environment.ts';
import { AppError } from '#server/http/errors.ts';
// Sets the language of the schemas' messages.
import '#server/http/parse.ts';
import { requireType, sniffedBytes } from '#server/storage/uploads/content-types.ts';
import {
  exportedFile,
  type FileField,
  fileFields,
  filesFolder,
  isRecord,
  setTextAt,
  textAt,
} from './site-files.ts';

/** Many times the size of the largest site content that the schemas allow. */
const jsonMaxBytes = 16 * 1024 * 1024;
/** With these flags, `open` does not follow a link, and does not wait for the writer of a pipe. */
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A checked file of the import, open for reading. */
export type ImportedFile = {
  field: FileField;
  /** The name that the JSON file gives for this file. */
  name: string;
  kind: FileKind;
  sizeBytes: number;
  sha256: string;
  handle: FileHandle;
  /** Reads the content from its beginning. */
  open(): Readable;
};

/**
 * Reads and checks the JSON file and the files that it names. In `sections`, a placeholder stands for the URL
 * of each file.
 * @throws StartError with one line for each mistake
 */
export async function readImport(
  environment: Environment,
  jsonFile: string,
): Promise<{ sections: Partial<SiteContent>; files: ImportedFile[] }> {
  const read = await readJson(jsonFile);
  const mistakes: FieldIssue[] = [];
  const files: ImportedFile[] = [];
  try {
    for (const field of fileFields) {
      const name = textAt(read, field.path);
      if (name === undefined || /^\/(?:images|audio)\//.test(name)) continue;
      try {
        files.push(await openFile(environment, path.dirname(path.resolve(jsonFile)), { field, name }));
      } catch (error) {
        if (!(error instanceof Complaint)) throw error;
        mistakes.push({ path: field.path.join('.'), message: error.message });
      }
      setTextAt(read, field.path, `/files/site/${field.folder}/importado?token=importado`);
    }
    const sections = checkSections(read, mistakes);
    if (mistakes.length > 0)
      throw new StartError(
        [
          `Há o que corrigir em ${jsonFile}. Nada foi importado.`,
          ...mistakes.map(({ path, message }) => `  ${path}: ${message}`),
        ].join('\n'),
      );
    return { sections, files };
  } catch (error) {
    await closeFiles(files);
    throw error;
  }
}

export async function closeFiles(files: ImportedFile[]): Promise<void> {
  for (const { handle } of files) await handle.close();
}

/** Says why the file service refuses a file. The caller puts the name of the file before this text. */
export function complaintAbout({ code }: AppError, kind: FileKind): string {
  if (code === 'request/unsupported-type')
    return `não é ${kind === 'audio' ? 'um áudio' : 'uma imagem'} ${uploadFormats[kind].names}`;
  const known: Partial<Record<ErrorCode, string>> = {
    'request/too-large': 'é grande demais',
    'storage/incomplete-file': 'está incompleto ou danificado',
    'storage/invalid-checksum': 'mudou durante a importação',
  };
  return known[code] ?? `não pôde ser guardado. ${errorMessages[code]}`;
}

async function readJson(jsonFile: string): Promise<Record<string, unknown>> {
  const unreadable = (cause: unknown) => {
    throw new StartError(`${jsonFile} não pôde ser lido: escreva o nome do arquivo JSON de uma exportação.`, {
      cause,
    });
  };
  const { size } = await stat(jsonFile).catch(unreadable);
  if (size > jsonMaxBytes)
    throw new StartError(`${jsonFile} é grande demais para ser uma exportação do site.`);
  // Removes the byte order mark that some editors write.
  const text = (await readFile(jsonFile, 'utf8').catch(unreadable)).replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const [, line, column] = /line (\d+) column (\d+)/.exec(String(cause)) ?? [];
    const place = line === undefined ? '' : ` (linha ${line}, coluna ${column})`;
    throw new StartError(`${jsonFile} não é um JSON válido${place}.`, { cause });
  }
  if (isRecord(value) && Object.keys(value).length > 0) return value;
  throw new StartError(`${jsonFile} não é uma exportação do site: faltam as seções, como "identity".`);
}

/** Checks the sections, and adds what is wrong to `mistakes`. */
function checkSections(read: Record<string, unknown>, mistakes: FieldIssue[]): Partial<SiteContent> {
  const checked: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(read)) {
    const section = sectionNames.find((known) => known === key);
    if (!section) {
      mistakes.push({ path: key, message: `não há esta seção; as seções são ${sectionNames.join(', ')}` });
      continue;
    }
    const found = checkSection(section, value);
    for (const { path, message } of found.mistakes)
      mistakes.push({ path: path ? `${section}.${path}` : section, message });
    // A draft may have problems, so a section with problems keeps its content as written.
    checked[section] = found.content ?? value;
  }
  return checked as Partial<SiteContent>;
}

/** Thrown when a file cannot be imported. The message says what is wrong with the file. */
class Complaint extends Error {}

/** @throws Complaint */
async function openFile(
  { fileLimits }: Environment,
  folder: string,
  { field, name }: { field: FileField; name: string },
): Promise<ImportedFile> {
  const [, fileName] = exportedFile.exec(name) ?? [];
  if (fileName === undefined)
    throw new Complaint(
      `escreva ${filesFolder}/ e o nome de um arquivo dessa pasta, só com letras sem acento, números, ponto, hífen e _`,
    );
  const kind = kindOfFile(`site/${field.folder}/id`) ?? 'image';
  const place = path.join(folder, filesFolder);
  if (!(await lstat(place).catch(() => undefined))?.isDirectory())
    throw new Complaint(`falta a pasta ${place}`);
  const handle = await open(path.join(place, fileName), openFlags).catch((cause: NodeJS.ErrnoException) => {
    const isLink = cause.code === 'ELOOP';
    throw new Complaint(isLink ? `${name} é um link: ponha o próprio arquivo` : `falta o arquivo ${name}`, {
      cause,
    });
  });
  try {
    const found = await handle.stat();
    const sizeBytes = found.size;
    if (!found.isFile() || sizeBytes === 0) throw new Complaint(`${name} está vazio ou não é um arquivo`);
    if (sizeBytes > (kind === 'audio' ? fileLimits.audioBytes : fileLimits.imageBytes))
      throw new Complaint(`${name} é grande demais`);
    const start = Buffer.alloc(Math.min(sniffedBytes, sizeBytes));
    await handle.read(start, 0, start.length, 0);
    await requireType(start, { path: name, kind, declared: '' }).catch((error: unknown) => {
      throw error instanceof AppError ? new Complaint(`${name} ${complaintAbout(error, kind)}`) : error;
    });
    const open = () => createReadStream('', { fd: handle, start: 0, autoClose: false });
    const hash = createHash('sha256');
    for await (const chunk of open()) hash.update(chunk as Buffer);
    return { field, name, kind, sizeBytes, sha256: hash.digest('base64'), handle, open };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
