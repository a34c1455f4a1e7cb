import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { sqliteFileIn } from '../database/installation/data-folder.ts';
import { StartError } from '../environment.ts';

/** The permissions that the owner of a file or folder needs. */
const [fileBits, folderBits] = [0o600, 0o700];

/**
 * Checks that this process can use everything that servers have written into the data folder: it must own
 * what it changes, and be able to read the rest. Other files in the folder do not matter.
 * @throws StartError that names the first wrong path and the command that corrects it
 */
export function requireUsableFolder(dataDir: string): void {
  try {
    checkFolder(dataDir);
  } catch (cause) {
    const { code = '', path: place = dataDir } = cause as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'ENOTDIR', 'EROFS'].includes(code)) throw cause;
    if (code === 'EROFS')
      throw new StartError(
        `A pasta de dados ${dataDir} está num disco que só aceita leitura. Nada foi mudado. Veja se o disco está bom (dmesg), e monte-o com gravação.`,
        { cause },
      );
    throw new StartError(
      `A pasta de dados ${dataDir} não aceita gravação (${code}, ${place}). Nada foi mudado. Entregue-a ao usuário do servidor, como root: chown -R ${owner()} ${dataDir}; ou escolha outra com DATA_DIR.`,
      { cause },
    );
  }
}

function checkFolder(dataDir: string) {
  if (statSync(dataDir, { throwIfNoEntry: false }) === undefined) {
    accessSync(existingParent(dataDir), constants.W_OK | constants.X_OK);
    return;
  }
  if (!statSync(dataDir).isDirectory())
    throw new StartError(`${dataDir} não é uma pasta. Nada foi mudado. Escolha outra com DATA_DIR.`);
  const inFolder = (name: string) => path.join(dataDir, name);
  requireOwn(dataDir, folderBits, dataDir);
  for (const suffix of ['', '-wal', '-shm']) requireOwn(sqliteFileIn(dataDir) + suffix, fileBits, dataDir);
  for (const name of ['server.lock', 'server.lock-journal']) requireOwn(inFolder(name), fileBits, dataDir);
  for (const name of ['files', 'outbox', 'uploads', 'usage-records', 'security-events'])
    requireOwn(inFolder(name), folderBits, dataDir);
  for (const name of ['uploads', 'usage-records', 'security-events'])
    for (const file of list(inFolder(name))) requireOwn(file, fileBits, dataDir);
  // The server changes no file of these, so it need not own them.
  for (const name of ['auth-secret', 'diary-key', 'folder-id']) requireReadable(inFolder(name), dataDir);
  for (const folder of list(inFolder('files'))) {
    requireOwn(folder, folderBits, dataDir);
    for (const file of list(folder)) requireReadable(file, dataDir);
  }
  // A file system can be read-only although the permissions allow changes.
  accessSync(dataDir, constants.W_OK);
}

/** Returns the paths of a folder's entries; none if there is no such folder. */
const list = (folder: string): string[] =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder).map((name) => path.join(folder, name))
    : [];

/** @param bits the permissions that the owner must have */
function requireOwn(place: string, bits: number, dataDir: string) {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) return;
  const user = process.geteuid?.();
  if (user !== undefined && found.uid !== user) {
    const belongs = `${place} pertence a outro usuário (${found.uid})`;
    const chown = `como root: chown -R ${owner()} ${dataDir}`;
    if (user === 0)
      throw new StartError(
        `${belongs}, e este programa roda como root. Nada foi mudado. Rode-o com o usuário do servidor.`,
      );
    throw new StartError(
      found.uid === 0
        ? `${belongs}. Nada foi mudado. Entregue-o a este, ${chown}`
        : `${belongs}. Nada foi mudado. Se o servidor roda com esse usuário, rode este programa com ele. Se roda com este, entregue-lhe a pasta, ${chown}`,
    );
  }
  if ((found.mode & bits) !== bits)
    throw new StartError(
      `As permissões de ${place} não deixam o servidor ler e gravar. Nada foi mudado. Rode: chmod -R u+rwX ${dataDir}`,
    );
}

function requireReadable(file: string, dataDir: string) {
  try {
    accessSync(file, constants.R_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    throw new StartError(
      `${file} não pode ser lido por este usuário (${code}). Nada foi mudado. Como root: chown -R ${owner()} ${dataDir}`,
      { cause },
    );
  }
}

/** The owner that the files should have, as `chown` expects it. */
const owner = () => `${process.geteuid?.()}:${process.getegid?.()}`;

function existingParent(place: string): string {
  const parent = path.dirname(place);
  return statSync(parent, { throwIfNoEntry: false }) ? parent : existingParent(parent);
}
