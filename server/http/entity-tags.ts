import { createHash } from 'node:crypto';

/** The entity tag of a list document at a version. */
export const listTag = (version: number) => `"${version}"`;

/** The entity tag of a document that has no version: a digest of its content. */
export function documentTag(document: object): string {
  return `"${createHash('sha256').update(JSON.stringify(document)).digest('base64url').slice(0, 22)}"`;
}

/** True if an If-None-Match header names `tag`, or any tag, also as the weak tag that a proxy makes of it. */
export function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
}
