import path from 'node:path';
import type { Database } from '../database/connect.ts';
import {
  createSecretFile,
  isWholeSecret,
  newSecret,
  readSecretFile,
  replaceSecretFile,
} from '../database/installation/secret-file.ts';
import { type Environment, StartError } from '../environment.ts';

const name = 'auth-secret';

type Settings = Pick<Environment, 'authSecret' | 'dataDir' | 'databaseUrl'>;

/**
 * Reads the secret that signs cookies and tokens, and encrypts second factors: AUTH_SECRET, or the secret in
 * the data folder. On PostgreSQL several instances can run, and all need the same secret, so AUTH_SECRET is
 * required.
 * @throws StartError when there is no secret, or when the file cannot be read or does not hold a complete
 * secret
 */
export async function readAuthSecret(settings: Settings): Promise<string> {
  const secret = await findAuthSecret(settings);
  if (secret === undefined) throw lost(fileIn(settings.dataDir));
  return secret;
}

/** Like `readAuthSecret`, but creates the secret of a new installation, which has none yet. */
export async function createAuthSecret(settings: Settings): Promise<string> {
  const found = await findAuthSecret(settings);
  if (found !== undefined) return found;
  const { dataDir } = settings;
  try {
    await createSecretFile(fileIn(dataDir));
  } catch (cause) {
    throw notUsable(fileIn(dataDir), cause);
  }
  return readAuthSecret(settings);
}

/**
 * Finds the secret, and changes nothing.
 * @returns undefined if the data folder has none
 * @throws StartError like `readAuthSecret`
 */
async function findAuthSecret({ authSecret, dataDir, databaseUrl }: Settings): Promise<string | undefined> {
  if (authSecret) return authSecret;
  const file = fileIn(dataDir);
  if (databaseUrl !== undefined) throw missing(await readSecretFile(file).catch(() => undefined), file);
  const secret = await readSecretFile(file).catch((cause: unknown) => {
    throw notUsable(file, cause);
  });
  if (secret !== undefined) requireWhole(secret, file);
  return secret;
}

/**
 * Checks the secret before a server starts, and changes nothing. If the database has users, a missing secret
 * is lost: a new one would end all sessions and make the second factors unreadable.
 * @param database undefined for a new installation
 * @returns undefined if the server will create a secret
 * @throws StartError
 */
export async function checkAuthSecret(
  settings: Settings,
  database: Database | undefined,
): Promise<string | undefined> {
  const secret = await findAuthSecret(settings);
  if (secret !== undefined || !database) return secret;
  const user = await database.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (user) throw lost(fileIn(settings.dataDir));
  return undefined;
}

/** True if AUTH_SECRET is set, and the data folder has another secret. */
export async function hasOtherSecretFile({ authSecret, dataDir }: Settings): Promise<boolean> {
  if (!authSecret) return false;
  const inFile = await readSecretFile(fileIn(dataDir)).catch(() => undefined);
  return inFile !== undefined && inFile !== authSecret;
}

export const newAuthSecret = newSecret;

const fileIn = (dataDir: string) => path.join(dataDir, name);

const lost = (file: string) =>
  new StartError(
    [
      `Falta ${file}, o segredo deste site. Nada foi mudado.`,
      'Recupere esse arquivo da cópia de segurança, ou escreva o segredo em AUTH_SECRET.',
      'Se ele se perdeu de vez: npm run admin -- new-secret cria outro, e diz antes o que se perde.',
    ].join('\n'),
  );

function notUsable(file: string, cause: unknown): StartError {
  const { code = 'erro' } = cause as NodeJS.ErrnoException;
  return new StartError(
    `O segredo em ${file} não pôde ser lido nem gravado (${code}): veja o espaço em disco e as permissões da pasta, ou escreva AUTH_SECRET.`,
    { cause },
  );
}

function missing(earlier: string | undefined, file: string): StartError {
  return new StartError(
    earlier === undefined
      ? 'Com DATABASE_URL é preciso AUTH_SECRET: escreva pelo menos 32 caracteres ao acaso, os mesmos em todas as máquinas (openssl rand -base64 48 mostra um segredo novo). Guarde-o: sem ele, as sessões terminam e os segundos fatores precisam ser refeitos.'
      : `Com DATABASE_URL é preciso AUTH_SECRET, o mesmo em todas as máquinas: escreva nele o conteúdo de ${file}, que este site usou até agora.`,
  );
}

/** Puts a secret into the data folder, in place of an earlier one. */
export const storeAuthSecret = (dataDir: string, secret: string) =>
  replaceSecretFile(fileIn(dataDir), secret);

function requireWhole(secret: string, file: string) {
  if (isWholeSecret(secret)) return;
  throw new StartError(
    `O segredo em ${file} está vazio ou incompleto: restaure-o da cópia de segurança. Se ele se perdeu de vez: npm run admin -- new-secret cria outro, e diz antes o que se perde.`,
  );
}
