import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { imageWidths } from '#contract/image-widths.ts';
import { routes } from '#contract/paths.ts';
import { ownerOfFile, storageMessages } from '#contract/storage.ts';
import type { AppContext } from '#server/context.ts';
import { AppError } from '#server/http/errors.ts';
import { networkOf, siteOf } from '#server/http/networks.ts';
import { parse } from '#server/http/parse.ts';
import { namesTag } from '#server/http/send-document.ts';
import { type ByteRange, ContentMissing } from '../store/file-store.ts';
import { releaseWhenSent } from '../store/release.ts';
import { getFileByToken, type StoredFile } from './files.ts';
import { type Version, versionKey } from './pictures.ts';

/** Types that a browser shows or plays and never executes. The server sends all others as a download. */
const inline = /^(?:image\/(?:jpeg|png|webp|avif)|audio\/)/;

const fileParams = z.object({ '*': z.string() });
const fileQuery = z.object({ token: z._default(z.string(), ''), width: z.optional(z.string()) });

/** Registers the routes that send files to readers who have the URL. */
export async function servingRoutes(app: FastifyInstance, { context }: { context: AppContext }) {
  const { database, fileStore } = context;
  const reading = createReadingLimits();

  app.get(routes.file, { exposeHeadRoute: false }, (request, reply) => respond(request, reply));
  app.head(routes.file, (request, reply) => respond(request, reply));

  async function respond(request: FastifyRequest, reply: FastifyReply) {
    const { '*': path } = parse(fileParams, request.params);
    const { token, width } = parse(fileQuery, request.query);
    // Checks the reading limits before the database query, so that a refusal is cheap.
    reading.begin(networkOf(request.ip), reply.raw);
    const file = await getFileByToken(database, path, token);
    const { key, contentType, sizeBytes, tag } = contentOf(file, width, request);
    reply
      .header('etag', tag)
      .header('cache-control', cacheControlOf(path))
      .header('accept-ranges', 'bytes')
      .header('content-security-policy', "default-src 'none'; sandbox");
    if (width !== undefined) reply.header('vary', 'accept');
    if (namesTag(request.headers['if-none-match'], tag)) return reply.code(304).send();

    reply.type(contentType);
    if (!inline.test(contentType)) reply.header('content-disposition', 'attachment');
    const range = readRange(request, tag, sizeBytes);
    if (range === 'unsatisfiable') {
      reply.header('content-range', `bytes */${sizeBytes}`);
      throw new AppError('storage/range-not-satisfiable');
    }
    const { start, end } = range ?? { start: 0, end: sizeBytes - 1 };
    if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${sizeBytes}`);
    reply.header('content-length', end - start + 1);
    if (request.method === 'HEAD') return reply.send();
    releaseWhenSent(reply.raw);
    endWhenShort(reply.raw, end - start + 1, (sentBytes) =>
      request.log.error({ path, key, expectedBytes: end - start + 1, sentBytes }, 'content is too short'),
    );
    const content = await fileStore.read(key, { start, end }, bufferBytes).catch((cause: unknown) => {
      if (!(cause instanceof ContentMissing)) throw cause;
      request.log.error({ path, key }, 'content is missing');
      throw new AppError('storage/object-not-found', {
        message: storageMessages.objectNotFound(path),
        cause,
      });
    });
    return reply.send(content);
  }
}

/** Files of the library and the site never change. A deleted file of a user must disappear from caches. */
const cacheControlOf = (path: string) =>
  ownerOfFile(path) === undefined ? 'public, max-age=31536000, immutable' : 'private, no-cache';

/**
 * Selects the content to send. The original of a picture is never sent, because its metadata can contain a
 * location.
 */
function contentOf(file: StoredFile, width: string | undefined, request: FastifyRequest) {
  const { key, contentType, sizeBytes, sha256 } = file;
  const sizes = JSON.parse(file.versions) as Partial<Record<Version, number>>;
  const version = sizes.full === undefined ? undefined : versionOf(width, request.headers.accept ?? '');
  if (version === undefined) return { key, contentType, sizeBytes, tag: `"${sha256}"` };
  return {
    key: versionKey(key, version),
    contentType: version === 'full' ? contentType : `image/${version.split('.')[1]}`,
    sizeBytes: sizes[version] ?? 0,
    tag: `"${sha256}.${version}"`,
  };
}

/**
 * Selects the full size if no width is wanted. Otherwise it selects AVIF for browsers that accept it
 * explicitly, and WebP for all others.
 * @throws AppError `storage/invalid-argument`
 */
function versionOf(wanted: string | undefined, accept: string): Version {
  if (wanted === undefined) return 'full';
  const width = imageWidths.find((known) => String(known) === wanted);
  if (width) return `${width}.${accept.includes('image/avif') ? 'avif' : 'webp'}`;
  throw new AppError('storage/invalid-argument', { message: `width is one of ${imageWidths.join(', ')}.` });
}

/**
 * Returns the requested range. Returns `undefined`, which means the complete content, if the Range header is
 * missing, is malformed or asks for several ranges, or if If-Range does not match.
 */
function readRange(
  { headers }: FastifyRequest,
  tag: string,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (headers['if-range'] !== undefined && headers['if-range'] !== tag) return undefined;
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  return start < sizeBytes && start <= end ? { start, end } : 'unsatisfiable';
}

/**
 * Closes the connection when the stream that is piped into the response has fewer bytes than `expectedBytes`,
 * the announced length. Otherwise the client would wait for the rest.
 * @param report receives the number of bytes that the stream had
 */
function endWhenShort(
  response: ServerResponse,
  expectedBytes: number,
  report: (sentBytes: number) => void,
): void {
  response.once('pipe', (source: Readable) => {
    let sentBytes = 0;
    source.prependListener('data', ({ length }: Uint8Array) => {
      sentBytes += length;
    });
    // This listener runs before the pipe's own listener, which ends the response.
    source.prependListener('end', () => {
      if (sentBytes >= expectedBytes) return;
      report(sentBytes);
      response.destroy();
    });
  });
}

/** Small, so that a turn of the event loop that fills the buffers of many responses stays short. */
const bufferBytes = 32 * 1024;
/** Each response sends from one buffer while it fills the other, so all of them take at most 64 MiB. */
const mostResponses = 1_024;
/** The maximum number of responses to one network. Over HTTP/2, a page can request 100 pictures at once. */
const mostPerNetwork = 128;
/** Less than `networksOfSite` times as many, which would be half of all responses. */
const mostPerSite = 2 * mostPerNetwork;

/**
 * Limits how many files are sent at once. Neither one network nor all networks of one site can use up the
 * limit of all responses.
 */
export function createReadingLimits() {
  /** Counts of networks and of sites. */
  const perNetwork = new Map<string, number>();
  let responses = 0;

  return {
    /**
     * Counts a response until it ends.
     * @param network the reader's network, as rate limits count it
     * @throws AppError `server/unavailable` when there are too many responses, in all or to this network
     */
    begin(network: string, response: ServerResponse): void {
      const site = siteOf(network);
      const counted: [name: string, most: number][] = [[network, mostPerNetwork]];
      if (site !== undefined) counted.push([site, mostPerSite]);
      if (responses >= mostResponses || counted.some(([name, most]) => (perNetwork.get(name) ?? 0) >= most))
        throw new AppError('server/unavailable');
      count(1);
      response.once('close', () => count(-1));

      function count(change: 1 | -1) {
        responses += change;
        for (const [name] of counted) {
          const now = (perNetwork.get(name) ?? 0) + change;
          if (now === 0) perNetwork.delete(name);
          else perNetwork.set(name, now);
        }
      }
    },
  };
}
