import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from './errors.ts';

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
