import type { FastifyReply, FastifyRequest } from 'fastify';
import { documentTag, namesTag } from './entity-tags.ts';

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
