import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { lazily } from '../concurrency.ts';
import { encodingFor, namesTag } from '../http/send-document.ts';

const toBrotli = promisify(brotliCompress);
const fromBrotli = promisify(brotliDecompress);
const toGzip = promisify(gzip);
/** A fast quality: the result is at most a tenth larger than with the best one. */
const quickBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
/** The best quality, only for documents up to `bestBrotliBytes`, because much longer ones take seconds. */
const bestBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
const bestBrotliBytes = 200_000;
/** A quality for documents that visitors can make the server compress at any time. */
const cheapBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** A document in memory, compressed once, with an entity tag of its content. */
export type CachedDocument = {
  type: string;
  tag: string;
  /** The approximate size in memory. */
  bytes: number;
  /** The content security policy, if it differs from the default. */
  policy?: string | undefined;
  identity: () => Promise<Buffer>;
  br: () => Promise<Buffer>;
  gzip: () => Promise<Buffer>;
};

/**
 * Creates a document that is compressed at the first request, not at the start of the server.
 * @param type the content type, as in `text/html; charset=utf-8`
 * @param policy its content security policy, if it differs from the default
 */
export function createCachedDocument(text: string | Buffer, type: string, policy?: string): CachedDocument {
  const identity = typeof text === 'string' ? Buffer.from(text) : text;
  let best: Buffer | undefined;
  const quick = lazily(async () => {
    const quick = await toBrotli(identity, quickBrotli);
    if (identity.length <= bestBrotliBytes)
      toBrotli(identity, bestBrotli).then(
        (made) => {
          best = made;
        },
        // After an error, the quick compression stays in use.
        () => {},
      );
    return quick;
  });
  return {
    type,
    tag: tagOf(identity),
    policy,
    bytes: identity.length,
    identity: async () => identity,
    br: async () => best ?? quick(),
    gzip: lazily(() => toGzip(identity)),
  };
}

/** Creates one of very many documents, so only its compressed bytes stay in memory. */
export async function createPackedDocument(
  text: string,
  type: string,
  policy?: string,
): Promise<CachedDocument> {
  const whole = Buffer.from(text);
  const tag = tagOf(whole);
  const packed = await toBrotli(whole, cheapBrotli);
  /** Slow clients that read the same document share these bytes. */
  let unpacked: WeakRef<Buffer> | undefined;
  const identity = async () => {
    const known = unpacked?.deref() ?? (await fromBrotli(packed));
    unpacked = new WeakRef(known);
    return known;
  };
  return {
    type,
    tag,
    policy,
    // Includes the bytes of gzip, which few clients request.
    bytes: 3 * packed.length,
    identity,
    br: async () => packed,
    gzip: lazily(async () => toGzip(await identity())),
  };
}

const tagOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url').slice(0, 22);

/** The `cache-control` header of public responses that can change at any time. */
export const revalidate = 'public, no-cache';
/** The `cache-control` header of responses that never change at their URL. */
export const cacheForever = `public, max-age=${365 * 24 * 60 * 60}, immutable`;

/** Sends a document in the best encoding that the browser accepts, or 304 when the browser has it. */
export async function sendCachedDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    document,
    status = 200,
    caching = revalidate,
  }: { document: CachedDocument; status?: number; caching?: string },
) {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const etag = `"${document.tag}-${encoding}"`;
  reply.code(status).header('cache-control', caching).header('vary', 'accept-encoding');
  // A 304 needs this header, too, because a browser updates its stored headers from a 304.
  if (document.policy) reply.header('content-security-policy', document.policy);
  // Only a response with status 200 gets an entity tag and can become a 304.
  if (status === 200) {
    reply.header('etag', etag);
    if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  }
  return sendEncoded(request, reply, document);
}

/** Sends a document in the best encoding that the browser accepts. The caller sets the headers of caching. */
export async function sendEncoded(request: FastifyRequest, reply: FastifyReply, document: CachedDocument) {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const body = await document[encoding]();
  reply.header('vary', 'accept-encoding').type(document.type);
  if (document.policy) reply.header('content-security-policy', document.policy);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(body);
}
