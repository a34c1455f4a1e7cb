import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './errors.ts';

/** Sends a document with its entity tag, or 304 when the client already has it. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, document: object) {
  const tag = documentTag(document);
  reply.header('etag', tag);
  if (!namesTag(request.headers['if-none-match'], tag)) return sendPrivate(reply, document);
  return reply.header('cache-control', 'no-store').code(304).send();
}

/** Like `sendDocument`, for a document that is the same for everyone. Caches must revalidate it. */
export function sendPublicDocument(request: FastifyRequest, reply: FastifyReply, document: object) {
  const tag = documentTag(document);
  reply.header('etag', tag).header('cache-control', 'public, no-cache');
  return namesTag(request.headers['if-none-match'], tag) ? reply.code(304).send() : reply.send(document);
}

/** Sends a personal or administrative document, which no cache may store. */
export function sendPrivate(reply: FastifyReply, document: object) {
  return reply.header('cache-control', 'no-store').send(document);
}

/** Returns the entity tag of a version of a list document. */
export const listTag = (version: number) => `"${version}"`;

/** Returns the entity tag of a document without a version: a digest of its content. */
export function documentTag(document: object): string {
  return `"${createHash('sha256').update(JSON.stringify(document)).digest('base64url').slice(0, 22)}"`;
}

/**
 * True if an If-None-Match header is `*` or contains `tag`. The comparison is weak (RFC 9110, section
 * 8.8.3.2), because a proxy can turn a strong tag into a weak one.
 */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}

/** @throws AppError `request/precondition-required` without an `If-Match` header */
export function requiredTag(request: FastifyRequest): string {
  const tag = request.headers['if-match']?.trim();
  if (!tag) throw new AppError('request/precondition-required');
  return tag;
}

type ContentEncoding = 'br' | 'gzip' | 'identity';

/**
 * Returns the best encoding that an Accept-Encoding header allows. `q=0` refuses an encoding (RFC 9110,
 * 12.4.2).
 */
export function encodingFor(header: string | string[] | undefined): ContentEncoding {
  const accepted = String(header ?? '');
  if (brotli.test(accepted)) return 'br';
  return gzip.test(accepted) ? 'gzip' : 'identity';
}

const brotli = /(?:^|[\s,])br\s*(?:,|$|;\s*q=(?:1|0\.\d*[1-9]))/i;
const gzip = /(?:^|[\s,])gzip\s*(?:,|$|;\s*q=(?:1|0\.\d*[1-9]))/i;
