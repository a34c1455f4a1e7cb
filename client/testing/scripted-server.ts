import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { paths } from '#contract/paths.ts';

/** The purpose of a request, for the protocols of Acolhe and of @firebase/storage. */
export type Kind = 'whole' | 'start' | 'query' | 'chunk' | 'metadata' | 'url' | 'delete' | 'cancel';

/**
 * A response that replaces the usual one: a status, or a status with details such as an error code. The
 * number 0 breaks the connection.
 */
export type Instead = number | { status: number; code?: string; body?: string; headers?: Headers };
type Headers = Record<string, string>;

type Upload = { path: string; length: number; bytes: Buffer };

export type ScriptedServer = Awaited<ReturnType<typeof startScriptedServer>>;

/**
 * Starts a file server that follows a test's script, over real HTTP. It understands the protocols of Acolhe
 * (multipart and tus) and of @firebase/storage. It keeps uploads in memory.
 * @param script for each kind, the responses to the first requests; `undefined` means the usual response
 */
export async function startScriptedServer(
  t: TestContext,
  script: Partial<Record<Kind, (Instead | undefined)[]>> = {},
) {
  const uploads = new Map<string, Upload>();
  const files = new Map<string, Buffer>();
  const seen: { kind: Kind; headers: IncomingMessage['headers']; bytes: number }[] = [];
  const watchers = new Set<() => void>();
  let held: { kind: Kind; dropped: Promise<void> } | undefined;
  let bearers = 0;

  const server = createServer((request, response) => {
    void respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    if (pathname === paths.auth.storageBearer) {
      bearers += 1;
      const sizeLimits = { image: 1, audio: 2, 'profile-picture': 3 };
      return json(response, { token: `bearer-${bearers}`, expiresAt: Date.now() + 300_000, sizeLimits });
    }
    const isOurs = pathname.startsWith('/api/storage/');
    const kind = isOurs ? kindOfOurs(request, pathname) : kindOfOther(request);
    const body = await readAll(request);
    seen.push({ kind, headers: request.headers, bytes: body.length });
    for (const watcher of watchers) watcher();
    if (held?.kind === kind) {
      await held.dropped;
      return void response.destroy();
    }
    const instead = script[kind]?.shift();
    if (instead !== undefined) return refuse(response, instead);
    const call = { request, response, pathname, searchParams, kind, body };
    if (isOurs) respondToOurs(call);
    else respondToOther(call);
  }

  function respondToOurs({ request, response, pathname, searchParams, kind, body }: Call) {
    const path = searchParams.get('path') ?? '';
    switch (kind) {
      case 'whole': {
        const [, metadata = '{}', content = Buffer.alloc(0)] = readMultipart(request, body);
        const { path: target } = JSON.parse(String(metadata)) as { path: string };
        files.set(target, content as Buffer);
        return json(response, metadataOf(target, content as Buffer), 201);
      }
      case 'start': {
        const said = String(request.headers['upload-metadata']).split(',');
        const encoded = said.find((pair) => pair.startsWith('path '))?.slice(5) ?? '';
        const id = begin(Buffer.from(encoded, 'base64').toString(), Number(request.headers['upload-length']));
        return void response.writeHead(201, { location: `${paths.storage.resumable}/${id}` }).end();
      }
      case 'query': {
        const upload = uploads.get(idIn(pathname));
        if (!upload) return void response.writeHead(404).end();
        return void response.writeHead(200, { 'upload-offset': upload.bytes.length }).end();
      }
      case 'chunk': {
        const upload = uploads.get(idIn(pathname));
        if (!upload) return refuse(response, { status: 404, code: 'storage/object-not-found' });
        if (Number(request.headers['upload-offset']) !== upload.bytes.length)
          return refuse(response, { status: 409, code: 'storage/offset-conflict' });
        append(upload, body);
        const digest = /^sha-256=:(.+):$/.exec(String(request.headers['repr-digest']))?.[1];
        if (upload.bytes.length === upload.length && digest === digestOf(upload.bytes))
          files.set(upload.path, upload.bytes);
        return void response.writeHead(204, { 'upload-offset': upload.bytes.length }).end();
      }
      case 'metadata': {
        const file = files.get(path);
        if (!file) return refuse(response, { status: 404, code: 'storage/object-not-found' });
        return json(response, metadataOf(path, file));
      }
      case 'url':
        return json(response, { url: `/files/${path}?token=t` });
      case 'delete':
        files.delete(path);
        return void response.writeHead(204).end();
      case 'cancel':
        if (files.has(uploads.get(idIn(pathname))?.path ?? ''))
          return refuse(response, { status: 409, code: 'storage/offset-conflict' });
        uploads.delete(idIn(pathname));
        return void response.writeHead(204).end();
      default:
        return kind satisfies never;
    }
  }

  function respondToOther({ request, response, pathname, searchParams, kind, body }: Call) {
    const upload = uploads.get(idIn(pathname));
    const done = (path: string, content: Buffer) =>
      json(response, { name: path, bucket: 'b', size: String(content.length), downloadTokens: 't' }, 200, {
        'x-goog-upload-status': 'final',
      });
    if (kind === 'whole') {
      const name = searchParams.get('name') ?? '';
      files.set(name, readMultipart(request, body)[2] ?? Buffer.alloc(0));
      return done(name, files.get(name) ?? Buffer.alloc(0));
    }
    if (kind === 'start') {
      const length = Number(request.headers['x-goog-upload-header-content-length']);
      const id = begin(searchParams.get('name') ?? '', length);
      const headers = { 'x-goog-upload-status': 'active', 'x-goog-upload-url': `${url}/upload/${id}` };
      return json(response, {}, 200, headers);
    }
    if (!upload) return refuse(response, 404);
    if (kind === 'chunk') append(upload, body);
    if (kind === 'chunk' && String(request.headers['x-goog-upload-command']).includes('finalize')) {
      files.set(upload.path, upload.bytes);
      return done(upload.path, upload.bytes);
    }
    const headers = {
      'x-goog-upload-status': 'active',
      'x-goog-upload-size-received': String(upload.bytes.length),
    };
    return json(response, {}, 200, headers);
  }

  function begin(path: string, length: number): string {
    const id = randomUUID();
    uploads.set(id, { path, length, bytes: Buffer.alloc(0) });
    return id;
  }

  return {
    url,
    port,
    /** The requests so far, in order. */
    seen,
    kinds: () => seen.map(({ kind }) => kind),
    files,
    uploads,
    /** Resolves once `count` complete requests of `kind` have arrived. */
    async reached(kind: Kind, count = 1) {
      const arrived = () => seen.filter((one) => one.kind === kind).length >= count;
      if (arrived()) return;
      await new Promise<void>((resolve) => {
        const watcher = () => {
          if (!arrived()) return;
          watchers.delete(watcher);
          resolve();
        };
        watchers.add(watcher);
      });
    },
    /**
     * Stops sending responses to requests of `kind`. The returned function breaks the connections of these
     * requests; later requests get responses again.
     */
    hold(kind: Kind): () => void {
      let drop = () => {};
      const dropped = new Promise<void>((resolve) => {
        drop = resolve;
      });
      held = { kind, dropped };
      return () => {
        held = undefined;
        drop();
      };
    },
    /** Drops all bytes after the first `bytes` of every upload, like a server after a crash. */
    loseBytes(bytes: number) {
      for (const upload of uploads.values()) upload.bytes = upload.bytes.subarray(0, bytes);
    },
  };
}

type Call = {
  request: IncomingMessage;
  response: ServerResponse;
  pathname: string;
  searchParams: URLSearchParams;
  kind: Kind;
  body: Buffer;
};

function kindOfOurs({ method }: IncomingMessage, pathname: string): Kind {
  if (pathname === paths.storage.objects) return method === 'DELETE' ? 'delete' : 'whole';
  if (pathname.endsWith('/metadata')) return 'metadata';
  if (pathname.endsWith('/download-url')) return 'url';
  const kinds: Record<string, Kind> = { POST: 'start', HEAD: 'query', PATCH: 'chunk', DELETE: 'cancel' };
  return kinds[method ?? ''] ?? 'query';
}

function kindOfOther({ headers }: IncomingMessage): Kind {
  const command = headers['x-goog-upload-command'];
  if (command === undefined) return 'whole';
  if (command === 'start' || command === 'query') return command;
  return 'chunk';
}

function append(upload: Upload, body: Buffer) {
  upload.bytes = Buffer.concat([upload.bytes, body]);
}

function refuse(response: ServerResponse, instead: Instead) {
  if (instead === 0) return void response.destroy();
  const { status, code, body, headers = {} } = typeof instead === 'number' ? { status: instead } : instead;
  const text = body ?? (code ? JSON.stringify({ code, message: 'Não deu.', requestId: 'r1' }) : '');
  response.writeHead(status, headers).end(text);
}

function json(response: ServerResponse, body: unknown, status = 200, headers: Headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Returns the content of each part of a body. The first item is the empty text before the first boundary. */
function readMultipart({ headers }: IncomingMessage, body: Buffer): Buffer[] {
  const boundary = /boundary=["']?([^"';]+)/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = body.toString('latin1').split(`--${boundary}`);
  return parts.map((part) => Buffer.from(part.slice(part.indexOf('\r\n\r\n') + 4, -2), 'latin1'));
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const idIn = (pathname: string) => pathname.split('/').at(-1) ?? '';
export const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64');

function metadataOf(path: string, content: Buffer) {
  const sha256 = digestOf(content);
  return { path, sizeBytes: content.length, contentType: 'audio/mpeg', sha256, createdAt: 1 };
}
