import { createHash, createPublicKey, createVerify, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import type { Project } from './fixture.ts';

/** A failure of one response of the scripted Google. A request uses up the first of `faults` that applies. */
export type Fault = {
  /** The fault applies to a request whose URL contains this text. */
  of: string;
  fail: 'status 429' | 'status 503' | 'status 401' | 'status 403' | 'cut' | 'other bytes' | 'drop';
};

/** A server that plays Google for `commands/firebase-export.mjs`. */
export type ScriptedGoogle = {
  /** The file of the service account. */
  keyFile: string;
  /** The environment variables that direct the export to this server. */
  environment: Record<string, string>;
  faults: Fault[];
  /** The URLs of all requests. */
  requests: string[];
  tokens: number;
};

const pageSize = 3;

export async function startGoogle(t: TestContext, project: Project, folder: string): Promise<ScriptedGoogle> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const server = createServer((request, response) => {
    void respond(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const google: ScriptedGoogle = {
    keyFile: path.join(folder, 'chave.json'),
    environment: {
      FIREBASE_AUTH_EMULATOR_HOST: host,
      FIRESTORE_EMULATOR_HOST: host,
      FIREBASE_STORAGE_EMULATOR_HOST: host,
    },
    ...{ faults: [], requests: [], tokens: 0 },
  };
  const key = {
    ...{ type: 'service_account', project_id: project.id, private_key_id: 'k1' },
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: `export@${project.id}.iam.gserviceaccount.com`,
    token_uri: `http://${host}/token`,
  };
  await writeFile(google.keyFile, JSON.stringify(key));
  const pem = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }));
  let valid = '';

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', `http://${host}`);
    google.requests.push(`${url.pathname}${url.search}`);
    if (url.pathname === '/token') {
      const form = new URLSearchParams(await text(request));
      if (!isSigned(form.get('assertion') ?? '')) return send(response, 400, { error: 'invalid_grant' });
      google.tokens += 1;
      valid = `token-${google.tokens}`;
      return send(response, 200, { access_token: valid, expires_in: 3_600, token_type: 'Bearer' });
    }
    if (request.headers.authorization !== `Bearer ${valid}`) return send(response, 401, {});
    const at = google.faults.findIndex(({ of }) => request.url?.includes(of));
    const [fault] = at < 0 ? [] : google.faults.splice(at, 1);
    if (fault?.fail === 'drop') return void response.destroy();
    const status = /^status (\d+)$/.exec(fault?.fail ?? '')?.[1];
    if (status !== undefined) return send(response, Number(status), { error: {} }, { 'retry-after': '0' });
    const content = contentAt(url);
    if (content) return sendContent(response, content, fault?.fail);
    const body = bodyAt(url);
    return body ? send(response, 200, body) : send(response, 404, { error: { code: 404 } });
  }

  /** Checks the issuer, audience, expiry and signature of a JSON Web Token, as Google does. */
  function isSigned(assertion: string): boolean {
    const [header = '', claims = '', signature = ''] = assertion.split('.');
    const { iss, aud, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    const isFresh = typeof exp === 'number' && exp > Date.now() / 1_000;
    const verify = createVerify('RSA-SHA256').update(`${header}.${claims}`);
    return (
      iss === key.client_email &&
      aud === key.token_uri &&
      isFresh &&
      verify.verify(pem, signature, 'base64url')
    );
  }

  function bodyAt(url: URL): unknown {
    const start = `/v1/projects/${project.id}`;
    if (url.pathname === `/identitytoolkit.googleapis.com/admin/v2/projects/${project.id}/config`)
      return { name: 'config', signIn: { email: { enabled: true }, hashConfig: project.hashConfig } };
    if (url.pathname === `/identitytoolkit.googleapis.com${start}/accounts:batchGet`)
      return page(project.accounts.map(asGoogleSends), 'users', url.searchParams.get('nextPageToken'), true);
    const collection = new RegExp(`^${start}/databases/\\(default\\)/documents/([A-Za-z]+)$`).exec(
      url.pathname,
    )?.[1];
    if (collection !== undefined) {
      const documents = project.documents.filter(({ name }) => name.includes(`/documents/${collection}/`));
      return page(documents, 'documents', url.searchParams.get('pageToken'));
    }
    const bucket = /^\/storage\/v1\/b\/([^/]+)\/o$/.exec(url.pathname)?.[1];
    const contents = project.contents.filter((one) => one.bucket === bucket);
    if (contents.length === 0) return undefined;
    const items = contents.map(({ name, bucket, contentType, content, token }) => ({
      ...{ kind: 'storage#object', name, bucket, contentType, size: String(content.length) },
      md5Hash: createHash('md5').update(content).digest('base64'),
      timeCreated: '2023-01-01T00:00:00.000Z',
      metadata: { firebaseStorageDownloadTokens: token },
    }));
    return page(
      [...items, { name: 'pasta/', bucket, size: '0' }],
      'items',
      url.searchParams.get('pageToken'),
    );
  }

  function contentAt(url: URL): Uint8Array | undefined {
    const [, bucket, name = ''] = /^\/storage\/v1\/b\/([^/]+)\/o\/([^/]+)$/.exec(url.pathname) ?? [];
    if (url.searchParams.get('alt') !== 'media') return undefined;
    return project.contents.find((one) => one.bucket === bucket && one.name === decodeURIComponent(name))
      ?.content;
  }

  return google;
}

/** Google names fields differently from `firebase auth:export`, and encodes hashes as Base64url. */
function asGoogleSends({ lastSignedInAt, ...account }: Record<string, unknown>) {
  const encode = (value: unknown) =>
    typeof value === 'string' ? value.replaceAll('+', '-').replaceAll('/', '_') : value;
  const { passwordHash, salt } = account;
  return {
    ...account,
    passwordHash: encode(passwordHash),
    salt: encode(salt),
    lastLoginAt: lastSignedInAt,
    version: 0,
    validSince: '1',
  };
}

/** One page of a list. With `namesEmptyPage`, the last page still names a next page, which is empty. */
function page(all: unknown[], name: string, token: string | null, namesEmptyPage = false) {
  const start = Number(token ?? 0);
  const some = all.slice(start, start + pageSize);
  const isLast = start + pageSize >= all.length;
  if (some.length === 0) return {};
  return { [name]: some, ...((!isLast || namesEmptyPage) && { nextPageToken: String(start + pageSize) }) };
}

function send(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function sendContent(response: ServerResponse, content: Uint8Array, fail: Fault['fail'] | undefined): void {
  if (fail === 'other bytes') return void response.writeHead(200).end(Buffer.alloc(content.length));
  // Sends no `content-length`, so that the cut response looks complete.
  if (fail === 'cut') return void response.writeHead(200).end(content.subarray(0, content.length / 2));
  response.writeHead(200, { 'content-length': content.length }).end(content);
}
