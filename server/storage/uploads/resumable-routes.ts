import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { paths, routes } from '#contract/paths.ts';
import { storageMessages, tusContentType, tusVersion, uploadMetadata } from '#contract/storage.ts';
import { requireSession } from '#server/auth/guards.ts';
import type { AppContext } from '#server/context.ts';
import { AppError } from '#server/http/errors.ts';
import { parse } from '#server/http/parse.ts';
import { isEditor } from '#server/permissions.ts';
import { requirePermission } from '../files/permissions.ts';
import { type Lease, leaseUpload } from './lease.ts';
import { receive } from './receive.ts';
import { createUpload, discardUpload, getUpload, limitPictures, type Upload } from './uploads.ts';

const uploadParams = z.object({ uploadId: z.string() });

/**
 * Registers the routes of resumable uploads: tus 1.0 with its extensions `creation` and `termination`
 * (https://tus.io/protocols/resumable-upload). The request that completes an upload sends the SHA-256 of the
 * whole file in `Repr-Digest` (RFC 9530), unless the request that created the upload sent it.
 */
export async function resumableRoutes(
  app: FastifyInstance,
  { context, closing }: { context: AppContext; closing: AbortSignal },
) {
  const { database } = context;

  app.removeAllContentTypeParsers();
  // The body stays a stream, because the handler must get the lease before it reads the body.
  app.addContentTypeParser(tusContentType, async (_request: FastifyRequest, body: Readable) => body);

  app.addHook('onRequest', async (_request, reply) => {
    reply.header('tus-resumable', tusVersion);
  });
  app.addHook('preHandler', async (request, reply) => {
    if (request.headers['tus-resumable'] === tusVersion) return;
    reply.header('tus-version', tusVersion);
    throw new AppError('storage/unsupported-version', { message: `Only tus ${tusVersion} is spoken here.` });
  });

  app.post(paths.storage.resumable, async (request, reply) => {
    const session = requireSession(request);
    const { path, contentType, sha256 } = parse(uploadMetadata, readMetadata(request));
    const kind = requirePermission(path, session, 'write');
    const byEditor = isEditor(session.member);
    await limitPictures(context, { kind, byEditor, ip: request.ip });
    const upload = await createUpload(context, {
      ownerId: session.uid,
      byEditor,
      kind,
      path,
      declaredType: contentType,
      sizeBytes: readCount(request, 'upload-length'),
      sha256: sha256 ?? null,
    });
    await database
      .insertInto('uploadProofs')
      .values({ uploadId: upload.id, proofId: request.proofId })
      .execute();
    return sayState(reply, upload).code(201).header('location', paths.storage.upload(upload.id)).send();
  });

  app.head(routes.upload, async (request, reply) => {
    const upload = await requireUpload(request);
    if (upload.holder === null || upload.finishedAt !== null) return sayState(reply, upload).send();
    // Another request may still be writing. The offset is final only after that request's lease ends.
    const lease = await requireLease(upload);
    await lease.release();
    return sayState(reply, lease.upload).send();
  });

  app.patch(routes.upload, { config: { upload: true } }, async (request, reply) => {
    const found = await requireUpload(request);
    const kind = requirePermission(found.path, requireSession(request), 'write');
    const offset = readCount(request, 'upload-offset');
    const sha256 = readDigest(request) ?? found.sha256;
    requireFit(request, found, { offset, sha256 });
    const lease = await requireLease(found);
    try {
      requireOffset(lease.upload, offset);
      const offsetBytes = await receive(context, lease, request.body as Readable, { kind, sha256, closing });
      return sayState(reply, { ...lease.upload, offsetBytes })
        .code(204)
        .send();
    } finally {
      await lease.release();
    }
  });

  app.delete(routes.upload, async (request, reply) => {
    const found = await requireUpload(request);
    if (found.finishedAt !== null) requireOffset(found, -1);
    const lease = await requireLease(found);
    try {
      // Another request may have finished the upload meanwhile.
      if (lease.upload.finishedAt !== null) requireOffset(lease.upload, -1);
      await discardUpload(context, lease.upload);
    } finally {
      await lease.release();
    }
    return reply.code(204).send();
  });

  async function requireUpload(request: FastifyRequest): Promise<Upload> {
    const { uploadId } = parse(uploadParams, request.params);
    return getUpload(database, uploadId, requireSession(request).uid);
  }

  async function requireLease({ id }: Upload): Promise<Lease> {
    const lease = await leaseUpload(context.database, id);
    if (lease) return lease;
    throw new AppError('storage/object-not-found', { message: storageMessages.objectNotFound(id) });
  }
}

function sayState(reply: FastifyReply, { offsetBytes, sizeBytes, expiresAt }: Upload): FastifyReply {
  return reply
    .header('upload-offset', offsetBytes)
    .header('upload-length', sizeBytes)
    .header('upload-expires', new Date(expiresAt).toUTCString())
    .header('cache-control', 'no-store');
}

/** Parses `Upload-Metadata`: pairs of a name and a base64 value, separated by commas. */
function readMetadata(request: FastifyRequest): Record<string, string> {
  const header = String(request.headers['upload-metadata'] ?? '');
  const pairs = header.split(',').map((pair) => {
    const [name = '', value = ''] = pair.trim().split(' ');
    return [name, Buffer.from(value, 'base64').toString()] as const;
  });
  return Object.fromEntries(pairs);
}

/** @throws AppError `storage/invalid-argument` */
function readCount(request: FastifyRequest, name: 'upload-length' | 'upload-offset'): number {
  const value = String(request.headers[name] ?? '');
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new AppError('storage/invalid-argument', {
    message: `The header ${name} must be a number of bytes.`,
  });
}

function readDigest(request: FastifyRequest): string | undefined {
  const header = String(request.headers['repr-digest'] ?? '');
  return /(?:^|[\s,])sha-256=:([A-Za-z0-9+/]{43}=):/.exec(header)?.[1];
}

/**
 * Checks the headers against the upload, before the first byte of the body is read.
 * @throws AppError `storage/offset-conflict`, `request/too-large`, `storage/invalid-argument`
 */
function requireFit(
  request: FastifyRequest,
  upload: Upload,
  { offset, sha256 }: { offset: number; sha256: string | null },
) {
  const { path, sizeBytes } = upload;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (offset + announced > sizeBytes)
    throw new AppError('request/too-large', { message: storageMessages.tooLarge(path, sizeBytes) });
  if (offset + announced === sizeBytes && sha256 === null)
    throw new AppError('storage/invalid-argument', {
      message: `The last part of '${path}' must come with Repr-Digest: sha-256=:…:`,
    });
  if (upload.finishedAt !== null) requireOffset(upload, offset === sizeBytes ? -1 : offset);
}

function requireOffset({ path, offsetBytes }: Upload, offset: number) {
  if (offset === offsetBytes) return;
  throw new AppError('storage/offset-conflict', {
    message: storageMessages.offsetConflict(path, offsetBytes),
  });
}
