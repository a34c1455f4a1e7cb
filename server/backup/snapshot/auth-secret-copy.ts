import { createHash } from 'node:crypto';

/** Tells whether two secrets are equal without revealing them. The secrets are random and long. */
export const fingerprintOf = (secret: string) =>
  createHash('sha256').update(`acolhe auth secret\0${secret}`).digest('hex');
