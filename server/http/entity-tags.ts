import { createHash } from 'node:crypto';

/** The entity tag of a list document at a version. */
export const listTag = (version: number) => `"${version}"`;

/** The entity tag of a document without a version of its own: a digest of what it says. */
export function documentTag(document: object): string {
  return `"${createHash('sha256').update(JSON.stringify(document)).digest('base64url').slice(0, 22)}"`;
}

/** Whether an If-None-Match header names `tag`; a weak tag that a proxy made of ours does too. */
export function namesTag(header: string | undefined, tag: string): boolean {
  return header?.split(',').some((one) => one.trim().replace(/^W\//, '') === tag) ?? false;
}
