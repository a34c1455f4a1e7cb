import { createHash } from 'node:crypto';

/** Returns a digest that identifies a secret. It does not reveal the secret, which is random and long. */
export const fingerprintOf = (secret: string) =>
  createHash('sha256').update(`acolhe auth secret\0${secret}`).digest('hex');
