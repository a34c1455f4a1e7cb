/**
 * `node firebase-export.mjs --service-account key.json --out FOLDER [--bucket NAME …]`: exports a Firebase
 * project: accounts with their password hashes, the documents of `users`, `activities` and `wordMood`, and
 * all files. The file needs only Node 20 or newer, so it can be copied to a machine with internet. It can be
 * stopped and started again: finished files are not downloaded twice. docs/import.md describes what it
 * writes.
 *
 * FIREBASE_AUTH_EMULATOR_HOST, FIRESTORE_EMULATOR_HOST and FIREBASE_STORAGE_EMULATOR_HOST (`host:port`) name
 * Firebase's emulators to use instead of Google, as in Google's own tools. The tests use these variables,
 * too. Access tokens come from the URL in the key's `token_uri`.
 */
import { createHash, createSign } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const collections = ['users', 'activities', 'wordMood'];
const attempts = 6;
const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
const progressMs = 2_000;
/** A token is replaced this long before it expires. */
const tokenReserveMs = 5 * 60_000;
const scope = 'https://www.googleapis.com/auth/cloud-platform';
/** The fields of an account, in the order in which `firebase auth:export` writes them. */
const accountFields = [
  'localId',
  'email',
  'emailVerified',
  'passwordHash',
  'salt',
  'displayName',
  'photoUrl',
].concat(['lastLoginAt', 'createdAt', 'phoneNumber', 'disabled', 'customAttributes']);
const providers = ['google.com', 'facebook.com', 'twitter.com', 'github.com'];
const providerFields = ['providerId', 'rawId', 'email', 'displayName', 'photoUrl'];

/** Thrown to stop the export. The message is a sentence for the operator. */
class Refusal extends Error {}
/** Thrown after a failure when another attempt may succeed. */
class Transient extends Error {
  constructor(message, waitMs) {
    super(message);
    this.waitMs = waitMs;
  }
}

const emulator = (name, prefix, usual) => {
  const host = process.env[name]?.trim();
  return host ? `http://${host}${prefix}` : usual;
};
const bases = {
  auth: emulator(
    'FIREBASE_AUTH_EMULATOR_HOST',
    '/identitytoolkit.googleapis.com',
    'https://identitytoolkit.googleapis.com',
  ),
  firestore: emulator('FIRESTORE_EMULATOR_HOST', '', 'https://firestore.googleapis.com'),
  storage: emulator('FIREBASE_STORAGE_EMULATOR_HOST', '', 'https://storage.googleapis.com'),
};

process.umask(0o077);
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    console.error(
      'A exportação foi interrompida. Rode o mesmo comando para continuar: o que já veio não é baixado de novo.',
    );
    process.exit(130);
  });

let lastProgress = performance.now();
let token = { value: '', expiresAt: 0 };
try {
  const { key, folder, buckets } = await readArguments();
  console.log(await exportProject(key, folder, buckets));
} catch (error) {
  const isExpected = error instanceof Refusal || error instanceof Transient;
  if (!isExpected && error?.syscall === undefined) throw error;
  console.error(isExpected ? error.message : `A pasta da exportação não pôde ser gravada (${error.code}).`);
  process.exitCode = 1;
}

async function readArguments() {
  const usage =
    'Escreva assim: node firebase-export.mjs --service-account chave.json --out PASTA [--bucket NOME]';
  let values;
  try {
    const options = {
      'service-account': { type: 'string' },
      out: { type: 'string' },
      bucket: { type: 'string', multiple: true },
    };
    ({ values } = parseArgs({ options, strict: true }));
  } catch {
    throw new Refusal(usage);
  }
  const keyFile = values['service-account'];
  if (!keyFile || !values.out) throw new Refusal(usage);
  let key;
  try {
    key = JSON.parse(await readFile(keyFile, 'utf8'));
  } catch {
    throw new Refusal(`${keyFile} não pôde ser lido: escolha o arquivo JSON da chave da conta de serviço.`);
  }
  for (const field of ['project_id', 'client_email', 'private_key', 'token_uri'])
    if (typeof key?.[field] !== 'string')
      throw new Refusal(`${keyFile} não é a chave de uma conta de serviço: falta ${field}.`);
  return { key, folder: path.resolve(values.out), buckets: values.bucket };
}

async function exportProject(key, folder, givenBuckets) {
  const project = key.project_id;
  const at = (name) => path.join(folder, name);
  await mkdir(at('files'), { recursive: true, mode: 0o700 });
  // An import refuses a folder without this file, so remove it first and write it last.
  await rm(at('export.json'), { force: true });
  await writeWhole(at('hash-config.json'), [`${JSON.stringify(await readHashConfig(key), undefined, 2)}\n`]);
  const counts = { project, accounts: 0, documents: 0, files: 0 };
  await writeWhole(at('accounts.json'), accountsJson(key, counts));
  await writeWhole(at('documents.ndjson'), documentLines(key, counts));
  const listed = await listObjects(key, givenBuckets);
  const lines = [];
  for (const object of listed.objects) {
    progress('arquivos', lines.length, listed.objects.length);
    lines.push(`${JSON.stringify(await fetchObject(key, object, at('files')))}\n`);
  }
  counts.files = lines.length;
  await writeWhole(at('files.ndjson'), lines);
  await writeWhole(at('export.json'), [`${JSON.stringify(counts, undefined, 2)}\n`]);
  const none =
    listed.buckets.length === 0
      ? ' Nenhum bucket de arquivos foi encontrado: se houver um, diga o nome com --bucket.'
      : '';
  return `Pronto: ${counts.accounts} contas, ${counts.documents} documentos e ${counts.files} arquivos estão em ${folder}.${none} A pasta contém dados de saúde e senhas cifradas: guarde-a só até a importação.`;
}

/** Writes to `<file>.part`, and renames it when it is complete. Only this user can read the file. */
async function writeWhole(file, parts) {
  const unfinished = `${file}.part`;
  await rm(unfinished, { force: true });
  const handle = await open(unfinished, 'wx', 0o600);
  try {
    for await (const part of parts) await handle.writeFile(part);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
}

async function readHashConfig(key) {
  const config = await getJson(key, `${bases.auth}/admin/v2/projects/${key.project_id}/config`);
  const found = config.signIn?.hashConfig;
  if (!found?.signerKey)
    throw new Refusal(
      'O Google não deu os parâmetros das senhas: dê à conta de serviço o papel “Firebase Authentication Admin” e rode de novo.',
    );
  return found;
}

async function* accountsJson(key, counts) {
  yield '{"users": [\n';
  let separator = '';
  for await (const user of pagesOf(
    key,
    `${bases.auth}/v1/projects/${key.project_id}/accounts:batchGet?maxResults=1000`,
    'users',
    'nextPageToken',
  )) {
    if (/^UkVEQUNURUQ=*$/.test(user.passwordHash ?? ''))
      throw new Refusal(
        'O Google escondeu as senhas (REDACTED): dê à conta de serviço o papel “Firebase Authentication Admin” e rode de novo.',
      );
    counts.accounts += 1;
    progress('contas', counts.accounts);
    yield separator + JSON.stringify(accountOf(user), null, 2);
    separator = ',\n';
  }
  yield ']}';
}

/** An account as `firebase auth:export` writes it, with the ids of second factors, which that tool omits. */
function accountOf({ version = 0, ...user }) {
  const normal = (text) => text?.replaceAll('_', '/').replaceAll('-', '+');
  // Omits a password hash that another algorithm made, because an import cannot use it.
  const isOther = Boolean(user.passwordHash) && version !== 0;
  const hashes = isOther
    ? { passwordHash: undefined, salt: undefined }
    : { passwordHash: normal(user.passwordHash), salt: normal(user.salt) };
  const all = { ...user, ...hashes };
  const account = Object.fromEntries(
    accountFields.map((name) => [name === 'lastLoginAt' ? 'lastSignedInAt' : name, all[name]]),
  );
  if (user.providerUserInfo)
    account.providerUserInfo = user.providerUserInfo
      .filter(({ providerId }) => providers.includes(providerId))
      .map((info) => Object.fromEntries(providerFields.map((name) => [name, info[name]])));
  if (user.mfaInfo?.length > 0)
    account.mfaInfo = user.mfaInfo.map(({ mfaEnrollmentId }) => ({ mfaEnrollmentId }));
  return account;
}

async function* documentLines(key, counts) {
  for (const collection of collections) {
    const url = `${bases.firestore}/v1/projects/${key.project_id}/databases/(default)/documents/${collection}?pageSize=300`;
    for await (const document of pagesOf(key, url, 'documents')) {
      counts.documents += 1;
      progress('documentos', counts.documents);
      yield `${JSON.stringify(document)}\n`;
    }
  }
}

/** Lists the objects of the given buckets, or of the project's default bucket, which has one of two names. */
async function listObjects(key, given) {
  const names = given ?? [`${key.project_id}.appspot.com`, `${key.project_id}.firebasestorage.app`];
  const [buckets, objects] = [[], []];
  for (const bucket of names) {
    const url = `${bases.storage}/storage/v1/b/${encodeURIComponent(bucket)}/o?maxResults=1000`;
    try {
      for await (const object of pagesOf(key, url, 'items'))
        if (!(object.name.endsWith('/') && Number(object.size) === 0)) objects.push(object);
      buckets.push(bucket);
    } catch (error) {
      if (error.status !== 404) throw error;
      if (given)
        throw new Refusal(
          `O bucket ${bucket} não existe: confira o nome no console do Firebase, em Storage.`,
        );
    }
  }
  return { buckets, objects };
}

/** Downloads an object, unless `folder` already has it. @returns the line of files.ndjson about it */
async function fetchObject(key, object, folder) {
  const { bucket, name, contentType, timeCreated } = object;
  const file = path.join(folder, createHash('sha256').update(`${bucket}/${name}`).digest('hex'));
  // Google decompresses gzip objects before it sends them, so size and checksum differ from the listed ones.
  const isPacked = object.contentEncoding === 'gzip';
  const line = {
    bucket,
    name,
    contentType,
    downloadTokens: object.metadata?.firebaseStorageDownloadTokens,
    timeCreated,
  };
  const expected = { size: Number(object.size), md5Hash: object.md5Hash };
  const there = await sumOf(file);
  if (there && !isPacked && isSame(there, expected)) return { ...line, ...there };
  const url = `${bases.storage}/storage/v1/b/${encodeURIComponent(bucket)}/o/${encodeURIComponent(name)}?alt=media`;
  return request(key, url, async (response) => {
    await writeWhole(file, response.body ?? []);
    const arrived = await sumOf(file);
    if (arrived && (isPacked || isSame(arrived, expected))) return { ...line, ...arrived };
    await rm(file, { force: true });
    throw new Transient(
      `O arquivo ${JSON.stringify(name)} não chegou inteiro. Rode o mesmo comando para continuar.`,
    );
  });
}

function isSame(one, { size, md5Hash }) {
  return one.size === size && (md5Hash === undefined || one.md5Hash === md5Hash);
}

async function sumOf(file) {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  const md5 = createHash('md5');
  for await (const chunk of createReadStream(file)) md5.update(chunk);
  return { size: found.size, md5Hash: md5.digest('base64') };
}

/** Reads all pages of a list. */
async function* pagesOf(key, url, items, parameter = 'pageToken') {
  for (let next = ''; ; ) {
    const page = await getJson(key, next === '' ? url : `${url}&${parameter}=${encodeURIComponent(next)}`);
    const found = page[items] ?? [];
    yield* found;
    next = page.nextPageToken ?? '';
    // The last page of accounts can name a next page, which is empty.
    if (next === '' || (items === 'users' && found.length === 0)) return;
  }
}

function getJson(key, url) {
  return request(key, url, (response) => response.json());
}

/** Sends a request until it succeeds, at most `attempts` times. @throws Refusal or Transient */
async function request(key, url, read) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await send(url, {
        headers: {
          authorization: `Bearer ${await accessToken(key)}`,
          'accept-encoding': 'identity',
        },
      });
      // The token has expired or was revoked. The next attempt gets a new one.
      if (response.status === 401) token = { value: '', expiresAt: 0 };
      await requireSuccess(response, key);
      return await read(response);
    } catch (error) {
      // An error with `syscall` comes from this machine's disk.
      if (error instanceof Refusal || error.syscall !== undefined) throw error;
      const failure =
        error instanceof Transient
          ? error
          : new Transient(
              `O Google não respondeu (${error.cause?.code ?? error.name}). Confira a internet e rode o mesmo comando para continuar.`,
            );
      if (attempt === attempts) throw failure;
      const backoff = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
      await wait(failure.waitMs ?? backoff);
    }
  }
}

async function requireSuccess(response, key) {
  const { status, headers } = response;
  if (response.ok) return;
  await response.body?.cancel();
  const again = status === 401 || status === 408 || status === 429 || status >= 500;
  if (again) {
    const after = headers.get('retry-after');
    const waitMs =
      after === null || !/^\d+$/.test(after) ? undefined : Math.min(longestWaitMs, Number(after) * 1_000);
    throw new Transient(
      `O Google respondeu com o erro ${status}. Espere um pouco e rode o mesmo comando para continuar.`,
      waitMs,
    );
  }
  const reasons = {
    403: `A conta de serviço ${key.client_email} não tem permissão: dê a ela os papéis “Firebase Authentication Admin”, “Cloud Datastore Viewer” e “Storage Object Viewer”.`,
    404: `O Google não achou o projeto ${key.project_id}, ou uma parte dele: confira no console se o Firestore está ligado.`,
  };
  throw Object.assign(new Refusal(reasons[status] ?? `O Google recusou o pedido (erro ${status}).`), {
    status,
  });
}

/** Sets no timeout, because Node ends a response that sends nothing for five minutes. */
function send(url, init) {
  return fetch(url, { ...init, redirect: 'error' });
}

/** Exchanges a signed assertion (JWT) of the service account for an access token (RFC 7523). */
async function accessToken({
  client_email: issuer,
  private_key: privateKey,
  private_key_id: kid,
  token_uri: url,
}) {
  if (token.expiresAt - tokenReserveMs > Date.now()) return token.value;
  const now = Math.floor(Date.now() / 1_000);
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = `${encode({ alg: 'RS256', typ: 'JWT', kid })}.${encode({ iss: issuer, scope, aud: url, iat: now, exp: now + 3_600 })}`;
  let signature;
  try {
    signature = createSign('RSA-SHA256').update(unsigned).sign(privateKey, 'base64url');
  } catch {
    throw new Refusal('A chave da conta de serviço não é válida: baixe outra no console do Firebase.');
  }
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: `${unsigned}.${signature}`,
  });
  const response = await send(url, { method: 'POST', body });
  if (response.status === 400 || response.status === 401)
    throw new Refusal(
      'O Google não aceitou a chave da conta de serviço: ela pode ter sido apagada, ou o relógio deste computador está errado.',
    );
  await requireSuccess(response, { client_email: issuer });
  const { access_token: value, expires_in: seconds } = await response.json();
  token = { value, expiresAt: Date.now() + seconds * 1_000 };
  return value;
}

function progress(what, done, total) {
  if (performance.now() - lastProgress < progressMs) return;
  lastProgress = performance.now();
  console.error(total === undefined ? `  ${done} ${what}` : `  ${done} de ${total} ${what}`);
}
