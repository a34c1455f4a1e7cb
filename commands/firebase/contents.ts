import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { axes } from '#contract/axes.ts';
import { errorMessages } from '#contract/errors.ts';
import { type FileKind, kindOfFile, uploadFormats } from '#contract/storage.ts';
import { type Environment, StartError } from '#server/environment.ts';
import { AppError } from '#server/http/errors.ts';
import { requireType, sniffedBytes } from '#server/storage/uploads/content-types.ts';
import {
  checkContent,
  type ImportedFile,
  newFileKey,
  newFileToken,
} from '#server/storage/uploads/imported-contents.ts';
import type { OldFile } from './addresses.ts';
import { hashedId, newFileId } from './new-ids.ts';
import type { OldContent } from './read-export.ts';
import { openPlainFile } from './read-lines.ts';
import type { Report } from './report.ts';

/** Reports the progress of a step of the import. */
export type Progress = (done: number, all: number, counted: string) => void;

/** Where a file is used. This decides who may read its metadata, and whose deletion also deletes the file. */
export type Place = { of: 'library' } | { of: 'profile' | 'mood'; uid: string };

/** A file of the old project, and how this site will store it. */
export type PlannedFile = {
  old: OldContent;
  path: string;
  kind: FileKind;
  ownerId: string | null;
  key: string;
  token: string;
  /** Set by `checkContents` for a file that can be imported. */
  checked: Pick<ImportedFile, 'contentType' | 'picture'> | undefined;
  /** Why the file cannot be imported, in Portuguese. */
  refusal: string | undefined;
};

export type Facts = { old: OldContent; sha256: string; type: 'image' | 'audio' | undefined };
export type Contents = ReturnType<typeof createContents>;

const wrongType = `Não é uma imagem (${uploadFormats.image.names}) nem um áudio (${uploadFormats.audio.names}).`;

/**
 * Reads every file of the export once, and detects its type by its content.
 * @throws StartError when a file is missing, truncated or changed
 */
export async function readContents(
  contents: OldContent[],
  progress: Progress,
  stopped: AbortSignal,
): Promise<Facts[]> {
  const facts: Facts[] = [];
  for (const [index, old] of contents.entries()) {
    stopped.throwIfAborted();
    progress(index, contents.length, 'arquivos lidos');
    facts.push(await readContent(old));
  }
  return facts;
}

async function readContent(old: OldContent): Promise<Facts> {
  const { handle, sizeBytes } = await openPlainFile(old.place);
  try {
    const cut = new StartError(
      `O arquivo ${old.place} está cortado ou foi mudado. Nada foi importado. Exporte de novo.`,
    );
    if (sizeBytes !== old.sizeBytes) throw cut;
    const [md5, sha256] = [createHash('md5'), createHash('sha256')];
    let start = Buffer.alloc(0);
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      if (start.length < sniffedBytes) start = Buffer.concat([start, chunk as Buffer]);
      md5.update(chunk as Buffer);
      sha256.update(chunk as Buffer);
    }
    if (old.md5 !== undefined && md5.digest('base64') !== old.md5) throw cut;
    return { old, sha256: sha256.digest('base64'), type: await typeOf(start.subarray(0, sniffedBytes)) };
  } finally {
    await handle.close();
  }
}

async function typeOf(start: Uint8Array): Promise<Facts['type']> {
  for (const kind of ['image', 'audio'] as const) {
    const isKind = await requireType(start, { path: '', kind, declared: '' }).then(
      () => true,
      () => false,
    );
    if (isKind) return kind;
  }
  return undefined;
}

/** Plans the path that each file gets on this site. */
export function createContents(facts: Facts[], project: string) {
  const byName = new Map(facts.map((one) => [`${one.old.bucket}/${one.old.name}`, one]));
  const planned = new Map<string, PlannedFile>();
  const used = new Set<OldContent>();
  /** The default bucket of a project has one of these names. A URL can use either name. */
  const defaults = [`${project}.appspot.com`, `${project}.firebasestorage.app`];

  function find({ bucket, name }: OldFile): Facts | undefined {
    const buckets = defaults.includes(bucket) ? [bucket, ...defaults] : [bucket];
    return buckets.map((one) => byName.get(`${one}/${name}`)).find((found) => found !== undefined);
  }

  function plan({ old, type }: Facts, place: Place): PlannedFile {
    const kind = place.of === 'profile' ? 'profile-picture' : (type ?? 'image');
    const wanted = pathOf(old, kind, place);
    const taken = planned.get(wanted);
    // Files of two buckets can have the same name. The second file gets a path with an id.
    const free = taken && taken.old !== old ? pathOf({ ...old, name: '' }, kind, place, idOf(old)) : wanted;
    const known = planned.get(free);
    if (known) return known;
    const file: PlannedFile = {
      ...{ old, path: free, kind, key: newFileKey(), token: newFileToken(), checked: undefined },
      ownerId: place.of === 'library' ? null : place.uid,
      refusal: type === undefined ? wrongType : undefined,
    };
    planned.set(free, file);
    return file;
  }

  return {
    planned,

    isKnown: (file: OldFile): boolean => find(file) !== undefined,

    /** @returns undefined if the export lacks the file */
    use(file: OldFile, place: Place): PlannedFile | undefined {
      const found = find(file);
      if (!found) return undefined;
      used.add(found.old);
      return plan(found, place);
    },

    /** Plans library files that no document uses. Reports all other unused files as not imported. */
    planRest(report: Report): void {
      for (const one of facts) {
        const { old } = one;
        if (used.has(old)) continue;
        if (/^post(?:Images|Audios)\//.test(old.name)) plan(one, { of: 'library' });
        else report.leaveOut(whereOf(old), '', 'Nada do que foi exportado usa este arquivo.');
      }
    },
  };
}

export const whereOf = ({ bucket, name }: OldFile) => `files/${bucket}/${name}`;

const idOf = ({ bucket, name }: OldFile) => hashedId(`file ${bucket}/${name}`);

/** Chooses the path of a file on this site. Keeps the old path if it is a valid path of the library. */
function pathOf(old: OldContent, kind: FileKind, place: Place, id?: string): string {
  const last = old.name.split('/').at(-1) ?? '';
  if (place.of === 'profile') return `profilePics/${place.uid}/${id ?? newFileId(last)}`;
  if (place.of === 'mood')
    return `${kind === 'audio' ? 'moodAudios' : 'moodImages'}/${place.uid}/${idOf(old)}`;
  const isOfLibrary = /^post(?:Images|Audios)\//.test(old.name);
  if (isOfLibrary && kindOfFile(old.name) === kind) return old.name;
  const axis = axes.find((one) => one === old.name.split('/')[1]) ?? 'values';
  return `${kind === 'audio' ? 'postAudios' : 'postImages'}/${axis}/${id ?? idOf(old)}`;
}

/**
 * Prefix of the folder for versions of pictures (other widths and formats). The folder is inside the export's
 * folder, because both contain personal data.
 */
const versionsFolder = '.versoes-';

/** Makes a folder for the versions of pictures, and removes the folders that killed imports have left. */
export async function makeVersionsFolder(exportFolder: string): Promise<string> {
  for (const name of await readdir(exportFolder))
    if (name.startsWith(versionsFolder)) await rm(path.join(exportFolder, name), { recursive: true });
  return mkdtemp(path.join(exportFolder, versionsFolder));
}

const versionFile = (folder: string, { key }: PlannedFile, version: string) =>
  path.join(folder, `${key}.${version}`);

/** Reads the versions of a picture that `checkContents` has made. */
export async function* versionsOf(
  file: PlannedFile,
  folder: string,
): AsyncGenerator<[name: string, content: Uint8Array]> {
  for (const version of Object.keys(file.checked?.picture?.versions ?? {}))
    yield [version, await readFile(versionFile(folder, file, version))];
}

/**
 * Checks the planned files as the server checks uploads, and makes the versions of pictures. Sets `checked`
 * or `refusal` of each file.
 * @throws StartError while the machine is too busy to draw pictures
 */
export async function checkContents(
  files: PlannedFile[],
  { fileLimits }: Environment,
  { folder, progress, stopped }: { folder: string; progress: Progress; stopped: AbortSignal },
): Promise<void> {
  const limits: Record<FileKind, number> = {
    image: fileLimits.imageBytes,
    audio: fileLimits.audioBytes,
    'profile-picture': fileLimits.profilePictureBytes,
  };
  for (const [index, file] of files.entries()) {
    progress(index, files.length, 'arquivos conferidos');
    const { sizeBytes } = file.old;
    if (file.refusal !== undefined) continue;
    if (sizeBytes === 0) file.refusal = 'O arquivo está vazio.';
    else if (sizeBytes > limits[file.kind])
      file.refusal = `O arquivo é grande demais: cabem ${Math.floor(limits[file.kind] / 1_000_000)} MB.`;
    else await checkFile(file, folder, stopped);
  }
}

async function checkFile(file: PlannedFile, folder: string, stopped: AbortSignal): Promise<void> {
  const { handle } = await openPlainFile(file.old.place);
  try {
    const { contentType, picture } = await checkContent(
      (range) => handle.createReadStream({ start: 0, ...range, autoClose: false }),
      { path: file.path, kind: file.kind, ownerId: file.ownerId ?? '' },
    ).finally(() => stopped.throwIfAborted());
    const versions: Record<string, number> = {};
    for (const [name, content] of picture?.versions ?? []) {
      await writeFile(versionFile(folder, file, name), content, { mode: 0o600 });
      versions[name] = content.length;
    }
    file.checked = {
      contentType,
      picture: picture && { width: picture.width, height: picture.height, versions },
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'request/unsupported-type')
      file.refusal =
        file.kind === 'profile-picture' ? `Não é uma foto ${uploadFormats[file.kind].names}.` : wrongType;
    else if (error.code === 'storage/incomplete-file') file.refusal = errorMessages[error.code];
    else if (error.code === 'request/too-large') file.refusal = 'A imagem tem pixels demais.';
    else
      throw new StartError(
        'O computador está ocupado demais para conferir as imagens. Nada foi importado. Tente de novo.',
        {
          cause: error,
        },
      );
  } finally {
    await handle.close();
  }
}
