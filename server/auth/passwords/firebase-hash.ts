/**
 * Imported hashes: how passwords from Firebase are stored until their users sign in. Firebase's hash is the
 * signer key of the project, encrypted with AES-256-CTR under a key that scrypt derives from the password. A
 * stored hash holds only the keystream of that encryption (hash XOR signer key), so this server does not need
 * the signer key (decision 24).
 */

/** scrypt's parameters: N is 2 to the power of `costLog2`, `rounds` is r. */
export type FirebaseCost = { costLog2: number; rounds: number };

export type FirebaseHash = FirebaseCost & {
  /** The salt followed by the salt separator. */
  salt: Buffer;
  /** Has the same length as Firebase's signer key. */
  keystream: Buffer;
};

/** Firebase's signer keys and hashes have this length. */
export const firebaseKeyBytes = 64;
/**
 * The limits of Firebase itself. A hash with the largest values takes 16 MiB of memory, and half the time of
 * this server's own hash.
 */
export const firebaseLimits = { costLog2: 14, rounds: 8, saltBytes: 100 } as const;
/** The start of an imported hash; this server's own hashes start with hexadecimal digits. */
export const firebasePrefix = 'firebase:';

/** @returns `firebase:costLog2:rounds:salt:keystream`, with `salt` and `keystream` in hexadecimal */
export const writeFirebaseHash = ({ costLog2, rounds, salt, keystream }: FirebaseHash): string =>
  `${firebasePrefix}${costLog2}:${rounds}:${salt.toString('hex')}:${keystream.toString('hex')}`;

/** @returns undefined for other hashes, and for a malformed one */
export function readFirebaseHash(hash: string): FirebaseHash | undefined {
  if (!hash.startsWith(firebasePrefix)) return undefined;
  const [, costLog2 = '', rounds = '', salt = '', key = '', ...rest] = hash.split(':');
  const cost = { costLog2: readNumber(costLog2), rounds: readNumber(rounds) };
  const [saltBytes, keystream] = [readHex(salt), readHex(key)];
  if (rest.length > 0 || !isFirebaseCost(cost) || keystream?.length !== firebaseKeyBytes) return undefined;
  if (!saltBytes || saltBytes.length > firebaseLimits.saltBytes) return undefined;
  return { ...cost, salt: saltBytes, keystream };
}

const readNumber = (text: string): number => (/^\d+$/.test(text) ? Number(text) : Number.NaN);
const readHex = (text: string): Buffer | undefined =>
  text.length % 2 === 0 && /^[0-9a-f]+$/.test(text) ? Buffer.from(text, 'hex') : undefined;

/** False for parameters above Firebase's limits, which could use up memory or time. */
export const isFirebaseCost = ({ costLog2, rounds }: FirebaseCost): boolean =>
  Number.isInteger(costLog2) &&
  Number.isInteger(rounds) &&
  costLog2 >= 1 &&
  costLog2 <= firebaseLimits.costLog2 &&
  rounds >= 1 &&
  rounds <= firebaseLimits.rounds;
