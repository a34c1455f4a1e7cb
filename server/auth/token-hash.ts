import { createHash } from 'node:crypto';

/**
 * Hashes a random token for the database, so that a reader of the database cannot use the token. A token has
 * at least 128 random bits, so the hash needs no salt.
 */
export const hashOfToken = (token: string) => createHash('sha256').update(token).digest('base64url');
