import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isFirebaseCost } from '#server/auth/passwords/firebase-hash.ts';
import { StartError } from '#server/environment.ts';
import { readJsonLines, readText } from './read-lines.ts';

/** An account as `firebase auth:export` writes it. Its fields are not checked yet. */
export type OldAccount = Record<string, unknown>;
/** A document of Firestore's REST interface. Its fields are not checked yet. */
export type OldDocument = { collection: string; id: string; fields: unknown };
/** A file of the old project. */
export type OldContent = {
  bucket: string;
  name: string;
  sizeBytes: number;
  md5: string | undefined;
  /** Epoch milliseconds. */
  createdAt: number | undefined;
  /** The path of the exported bytes. */
  place: string;
};
/** The parameters of Firebase's scrypt. */
export type HashConfig = { signerKey: Buffer; saltSeparator: Buffer; costLog2: number; rounds: number };

export type Export = {
  project: string;
  accounts: OldAccount[];
  documents: OldDocument[];
  contents: OldContent[];
  hashConfig: HashConfig;
};

/** Enough for half a million accounts. */
const accountsMaxBytes = 250_000_000;
/**
 * A document of Firestore has at most 1 MiB. In JSON, type names and escapes make it several times larger.
 */
const documentMaxBytes = 16_000_000;
const fileLineMaxBytes = 100_000;
const smallMaxBytes = 1_000_000;

const again = 'Nada foi importado. Exporte de novo.';

/**
 * Reads the folder that `commands/firebase-export.mjs` has written, and checks that it is complete.
 * @throws StartError with one sentence
 */
export async function readExport(folder: string): Promise<Export> {
  const at = (name: string) => path.join(folder, name);
  if (!existsSync(folder)) throw new StartError(`A pasta ${folder} não existe. Nada foi importado.`);
  if (existsSync(at('accounts.csv')) && !existsSync(at('accounts.json')))
    throw csvRefusal(at('accounts.csv'));
  const accounts = readAccounts(at('accounts.json'), await readText(at('accounts.json'), accountsMaxBytes));
  const hashConfig = await readHashConfig(at('hash-config.json'));
  if (!existsSync(at('export.json')))
    throw new StartError(`Em ${folder} falta export.json: a exportação não chegou ao fim. ${again}`);
  const counts = readJson(at('export.json'), await readText(at('export.json'), smallMaxBytes));
  const documents: OldDocument[] = [];
  for await (const { line, value } of readJsonLines(at('documents.ndjson'), documentMaxBytes))
    documents.push(documentOf(value, `A linha ${line} do arquivo ${at('documents.ndjson')}`));
  const contents: OldContent[] = [];
  for await (const { line, value } of readJsonLines(at('files.ndjson'), fileLineMaxBytes))
    contents.push(contentOf(value, `A linha ${line} do arquivo ${at('files.ndjson')}`, at('files')));
  requireCount(at('accounts.json'), accounts.length, counts.accounts);
  requireCount(at('documents.ndjson'), documents.length, counts.documents);
  requireCount(at('files.ndjson'), contents.length, counts.files);
  const project = typeof counts.project === 'string' ? counts.project : '';
  return { project, accounts, documents, contents, hashConfig };
}

/**
 * The name under which the export keeps a file. It is a hash, so that no part of the old name becomes a path.
 */
export const contentName = (bucket: string, name: string) =>
  createHash('sha256').update(`${bucket}/${name}`).digest('hex');

function requireCount(file: string, found: number, said: unknown) {
  if (found === said) return;
  throw new StartError(
    `O arquivo ${file} está cortado ou foi mudado: tem ${found} itens, e export.json diz ${Number(said)}. ${again}`,
  );
}

const csvRefusal = (file: string) =>
  new StartError(
    `${file} é uma exportação em CSV, que não diz tudo o que é preciso. Nada foi importado. Exporte as contas em JSON.`,
  );

function readAccounts(file: string, text: string): OldAccount[] {
  const start = text.trimStart();
  if (start !== '' && !/^[[{]/.test(start) && (start.split('\n', 1)[0] ?? '').includes(','))
    throw csvRefusal(file);
  const { users } = readJson(file, text);
  if (!Array.isArray(users) || !users.every(isRecord))
    throw new StartError(`${file} não é uma exportação de contas do Firebase. ${again}`);
  const isRedacted = users.some(({ passwordHash }) => isRedactedHash(passwordHash));
  if (isRedacted)
    throw new StartError(
      `Em ${file} as senhas foram ocultadas (REDACTED): quem exportou não tinha permissão para lê-las. Nada foi importado. Exporte de novo com o papel “Firebase Authentication Admin”.`,
    );
  return users;
}

/** Firebase writes the word REDACTED, in Base64, instead of the hashes that the caller may not read. */
const isRedactedHash = (hash: unknown) =>
  typeof hash === 'string' && (hash === 'REDACTED' || /^UkVEQUNURUQ=*$/.test(hash));

function readJson(file: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch (cause) {
    throw new StartError(`O arquivo ${file} está cortado ou foi mudado: não é um JSON válido. ${again}`, {
      cause,
    });
  }
  throw new StartError(`O arquivo ${file} não tem o formato esperado. ${again}`);
}

/**
 * Reads Firebase's parameters as JSON with the names of Google's API, or in the form that the console shows.
 */
async function readHashConfig(file: string): Promise<HashConfig> {
  const text = existsSync(file) ? await readText(file, smallMaxBytes) : '';
  const read = /^\s*(?:hash_config|$)/.test(text) ? consoleValues(text) : readJson(file, text);
  const invalid = (reason: string) =>
    new StartError(
      `${file} ${reason}: sem os parâmetros das senhas, ninguém conseguiria entrar. Nada foi importado. Exporte de novo, ou copie-os do console do Firebase (Authentication, menu de três pontos, “Parâmetros de hash de senha”).`,
    );
  if (Object.keys(read).length === 0) throw invalid('falta ou está vazio');
  const algorithm = read.algorithm ?? 'SCRYPT';
  if (algorithm !== 'SCRYPT') throw invalid(`não fala do algoritmo SCRYPT`);
  const signerKey = base64(read.signerKey ?? read.base64_signer_key);
  const saltSeparator = base64(read.saltSeparator ?? read.base64_salt_separator);
  const cost = { costLog2: Number(read.memoryCost ?? read.mem_cost), rounds: Number(read.rounds) };
  if (signerKey?.length !== 64 || saltSeparator === undefined || saltSeparator.length > 32)
    throw invalid('não tem uma chave válida');
  if (!isFirebaseCost(cost))
    throw invalid('tem números fora do que o Firebase aceita (rounds de 1 a 8, memoryCost de 1 a 14)');
  return { signerKey, saltSeparator, ...cost };
}

/** Reads the parameters as the console shows them: `hash_config { algorithm: SCRYPT, … }`. */
const consoleValues = (text: string): Record<string, unknown> =>
  Object.fromEntries([...text.matchAll(/\b(\w+): ([^\s,]+)/g)].map(([, name, value]) => [name, value]));

/** @returns undefined unless `text` is Base64, in the usual or in the URL alphabet */
export function base64(text: unknown): Buffer | undefined {
  return typeof text === 'string' && /^[A-Za-z0-9+/_-]{1,1000}={0,2}$/.test(text)
    ? Buffer.from(text, 'base64')
    : undefined;
}

function documentOf(value: unknown, where: string): OldDocument {
  const name = isRecord(value) && typeof value.name === 'string' ? value.name : '';
  const [, place = ''] = /^projects\/[^/]+\/databases\/[^/]+\/documents\/(.+)$/s.exec(name) ?? [];
  const parts = place.split('/');
  const id = parts.pop() ?? '';
  if (!isRecord(value) || parts.length === 0 || id === '')
    throw new StartError(`${where} não é um documento do Firestore. ${again}`);
  return { collection: parts.join('/'), id, fields: value.fields };
}

function contentOf(value: unknown, where: string, folder: string): OldContent {
  const { bucket, name, size, md5Hash, timeCreated } = isRecord(value) ? value : {};
  const sizeBytes = Number(size);
  if (
    typeof bucket !== 'string' ||
    typeof name !== 'string' ||
    !Number.isSafeInteger(sizeBytes) ||
    sizeBytes < 0
  )
    throw new StartError(`${where} não descreve um arquivo. ${again}`);
  const created = typeof timeCreated === 'string' ? Date.parse(timeCreated) : Number.NaN;
  return {
    bucket,
    name,
    sizeBytes,
    md5: typeof md5Hash === 'string' ? md5Hash : undefined,
    createdAt: Number.isFinite(created) ? created : undefined,
    place: path.join(folder, contentName(bucket, name)),
  };
}

/** A value of Firestore without the names of its types. */
export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

/** Firestore allows at most 20 nested levels. This limit only protects the stack from a forged export. */
const mostLevels = 25;

/** Thrown for a value that cannot be imported. The message is a sentence in Portuguese. */
export class UnsupportedValue extends Error {
  override name = 'UnsupportedValue';
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts the `fields` of a document of Firestore's REST API. @throws UnsupportedValue */
export function plainFields(fields: unknown, level = 0): { [key: string]: Plain } {
  if (fields === undefined) return {};
  if (!isRecord(fields)) throw new UnsupportedValue('Os campos não estão no formato do Firestore.');
  const plain = Object.entries(fields).map(([key, value]): [string, Plain] => {
    if (/^__.*__$/s.test(key))
      throw new UnsupportedValue('Há um campo com um nome que o Firestore não permite.');
    return [key, plainValue(value, level)];
  });
  return Object.fromEntries(plain);
}

function plainValue(typed: unknown, level: number): Plain {
  if (level > mostLevels) throw new UnsupportedValue('O documento tem níveis demais.');
  const [entry, ...others] = isRecord(typed) ? Object.entries(typed) : [];
  if (entry === undefined || others.length > 0)
    throw new UnsupportedValue('Há um valor que não está no formato do Firestore.');
  const [type, value] = entry;
  if (type === 'nullValue') return null;
  if (type === 'booleanValue' && typeof value === 'boolean') return value;
  if (type === 'integerValue') return plainInteger(value);
  if (type === 'doubleValue') return plainDouble(value);
  if (
    ['stringValue', 'timestampValue', 'bytesValue', 'referenceValue'].includes(type) &&
    typeof value === 'string'
  )
    return value;
  if (type === 'geoPointValue' && isRecord(value))
    return { latitude: plainDouble(value.latitude ?? 0), longitude: plainDouble(value.longitude ?? 0) };
  if (type === 'arrayValue' && isRecord(value)) {
    const values = value.values ?? [];
    if (Array.isArray(values)) return values.map((one) => plainValue(one, level + 1));
  }
  if (type === 'mapValue' && isRecord(value)) return plainFields(value.fields, level + 1);
  throw new UnsupportedValue('Há um valor que não está no formato do Firestore.');
}

/** Firestore's integers have 64 bits. An integer that a `number` cannot hold exactly stays text. */
function plainInteger(value: unknown): number | string {
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new UnsupportedValue('Há um número inteiro inválido.');
  const text = String(value);
  if (!/^-?\d{1,19}$/.test(text)) throw new UnsupportedValue('Há um número inteiro inválido.');
  return Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

function plainDouble(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new UnsupportedValue('Há um número que não se pode guardar.');
}
