import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createOnce, syncFolder, writeDurably } from '../database/durable-files.ts';
import { type Environment, StartError } from '../environment.ts';

const name = 'auth-secret';
const leastLetters = 32;

/**
 * Reads the secret that signs cookies and tokens: AUTH_SECRET, or a secret that the first start generates and
 * keeps in the data folder. On PostgreSQL several instances can run, and all need the same secret, so
 * AUTH_SECRET is required.
 * @throws StartError when AUTH_SECRET is required but missing, or when the file cannot be read or written, or
 * does not hold a complete secret
 */
export async function readAuthSecret({
  authSecret,
  dataDir,
  databaseUrl,
}: Pick<Environment, 'authSecret' | 'dataDir' | 'databaseUrl'>): Promise<string> {
  if (authSecret) return authSecret;
  const file = path.join(dataDir, name);
  if (databaseUrl !== undefined) throw missing(await readIfThere(file).catch(() => undefined), file);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    if ((await readIfThere(file)) === undefined)
      await createOnce(file, randomBytes(32).toString('base64url'));
    const secret = await readFile(file, 'utf8');
    requireWhole(secret, file);
    await removeUnfinished(dataDir);
    return secret;
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    const { code = 'erro' } = cause as NodeJS.ErrnoException;
    throw new StartError(
      `O segredo em ${file} não pôde ser lido nem gravado (${code}): veja o espaço em disco e as permissões da pasta, ou escreva AUTH_SECRET.`,
      { cause },
    );
  }
}

function missing(earlier: string | undefined, file: string): StartError {
  return new StartError(
    earlier === undefined
      ? 'Com DATABASE_URL é preciso AUTH_SECRET: escreva pelo menos 32 caracteres ao acaso, os mesmos em todas as máquinas (openssl rand -base64 48 mostra um segredo novo). Guarde-o: sem ele, as sessões terminam e os segundos fatores precisam ser refeitos.'
      : `Com DATABASE_URL é preciso AUTH_SECRET, o mesmo em todas as máquinas: escreva nele o conteúdo de ${file}, que este site usou até agora.`,
  );
}

/** Puts the secret of a backup into the data folder of a new installation. */
export async function storeAuthSecret(dataDir: string, secret: string): Promise<void> {
  const file = path.join(dataDir, name);
  const unfinished = `${file}.${randomUUID()}.tmp`;
  await writeDurably(unfinished, secret);
  await rename(unfinished, file);
  await syncFolder(dataDir);
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Removes the temporary files of earlier starts that crashed in `createOnce`. */
async function removeUnfinished(folder: string): Promise<void> {
  for (const entry of await readdir(folder)) {
    if (entry.startsWith(`${name}.`) && entry.endsWith('.tmp'))
      await rm(path.join(folder, entry), { force: true });
  }
}

/** After a crash a file can be empty or hold zeros. Cookies signed with such a key could be forged. */
function requireWhole(secret: string, file: string) {
  if (secret.trim().length >= leastLetters && !secret.includes('\0')) return;
  throw new StartError(
    `O segredo em ${file} está vazio ou incompleto: restaure-o da cópia de segurança, ou apague o arquivo para que o próximo início crie outro (as sessões terminam e os segundos fatores precisam ser refeitos).`,
  );
}
