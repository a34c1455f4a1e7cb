import { createHash } from 'node:crypto';

/** Shows whether two secrets are equal, without revealing them, because the secrets are random and long. */
export const fingerprintOf = (secret: string) =>
  createHash('sha256').update(`acolhe auth secret\0${secret}`).digest('hex');
