import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { limits } from '#contract/limits.ts';
import { paths, routes } from '#contract/paths.ts';
import { type FileMetadata, ownerOfFile, storageMessages, uploadMetadata } from '#contract/storage.ts';
import { requireSession } from '#server/auth/guards.ts';
import type { AppContext } from '#server/context.ts';
import { AppError } from '#server/http/errors.ts';
import { parse } from '#server/http/parse.ts';
import { isEditor } from '#server/permissions.ts';
import { deleteFile, getFile, type LockKeptFiles, metadataOf } from '../files/files.ts';
import { requirePermission } from '../files/permissions.ts';
import { storeFile } from './receive.ts';
import { discardUploadsTo, limitPictures } from './uploads.ts';

/** The maximum number of bytes around the file in a multipart request. */
const aroundFileBytes = 16 * 1024;

const pathQuery = z.object({ path: z.string() });

/** Records in the access log that the user `actorId` has looked up a file of the users `subjectIds`. */
export type NoteLook = (look: {
  actorId: string;
  subjectIds: string[];
  what: 'profilePic' | 'wordMood';
}) => Promise<void>;

/** Registers the routes to upload a small file in one request, to look up a file, and to delete one. */
export async function objectRoutes(
  app: FastifyInstance,
  {
    context,
    closing,
    noteLook,
    lockKeptFiles,
  }: { context: AppContext; closing: AbortSignal; noteLook: NoteLook; lockKeptFiles: LockKeptFiles },
) {
  const { database } = context;

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^multipart\/form-data/,
    { parseAs: 'buffer', bodyLimit: limits.resumableThresholdBytes + aroundFileBytes },
    async (_request: FastifyRequest, body: Buffer<ArrayBuffer>) => body,
  );

  app.post(paths.storage.objects, { config: { upload: true } }, async (request, reply) => {
    const session = requireSession(request);
    const { metadata, content } = await readForm(request);
    const { path, contentType, sha256 } = metadata;
    const kind = requirePermission(path, session, 'write');
    if (content.length > limits.resumableThresholdBytes)
      throw new AppError('request/too-large', {
        message: storageMessages.tooLarge(path, limits.resumableThresholdBytes),
      });
    if (sha256 === undefined)
      throw new AppError('storage/invalid-argument', { message: `The SHA-256 of '${path}' is missing.` });

    const known = await findSame(path, session.uid, sha256);
    if (known) return reply.send(known);
    const byEditor = isEditor(session.member);
    await limitPictures(context, { kind, byEditor, ip: request.ip });
    const file = await storeFile(
      context,
      {
        ownerId: session.uid,
        byEditor,
        kind,
        path,
        declaredType: contentType,
        sizeBytes: content.length,
        sha256,
      },
      { content: Readable.from([content]), closing },
    );
    return reply.code(201).send(metadataOf(file));
  });

  app.get(routes.metadata, async (request) => metadataOf(await requireFile(request)));

  app.get(routes.downloadUrl, async (request) => {
    const { path, token } = await requireFile(request);
    return { url: paths.storage.file(path, token) };
  });

  app.delete(paths.storage.objects, async (request, reply) => {
    const { path } = parse(pathQuery, request.query);
    const session = requireSession(request);
    requirePermission(path, session, 'write');
    await discardUploadsTo(context, path, session.uid);
    await deleteFile(context, path, lockKeptFiles);
    request.noteSecurity('file deleted', { path });
    return reply.code(204).send();
  });

  async function requireFile(request: FastifyRequest) {
    const { path } = parse(pathQuery, request.query);
    const session = requireSession(request);
    const kind = requirePermission(path, session, 'look');
    // Writes the access log before the lookup, because the absence of a file is personal data, too.
    const owner = ownerOfFile(path);
    const what = kind === 'profile-picture' ? 'profilePic' : 'wordMood';
    if (owner !== undefined) await noteLook({ actorId: session.uid, subjectIds: [owner], what });
    return getFile(database, path);
  }

  /** Finds the file if this user has already sent it. A client that lost the response repeats its request. */
  async function findSame(path: string, uid: string, sha256: string): Promise<FileMetadata | undefined> {
    const file = await database.selectFrom('files').selectAll().where('path', '=', path).executeTakeFirst();
    return file?.ownerId === uid && file.sha256 === sha256 ? metadataOf(file) : undefined;
  }
}

/** Reads the parts `metadata` and `file`. @throws AppError `request/malformed`, `request/invalid` */
async function readForm(request: FastifyRequest) {
  const headers = { 'content-type': request.headers['content-type'] ?? '' };
  const form = await new Response(request.body as Buffer<ArrayBuffer>, { headers })
    .formData()
    .catch((cause: unknown) => {
      throw new AppError('request/malformed', { cause });
    });
  const [said, file] = [form.get('metadata'), form.get('file')];
  if (said === null || !(file instanceof File) || [...form.keys()].length !== 2)
    throw new AppError('request/malformed');
  const metadata = parse(uploadMetadata, readJson(typeof said === 'string' ? said : await said.text()));
  return { metadata, content: Buffer.from(await file.arrayBuffer()) };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('request/malformed', { cause });
  }
}
