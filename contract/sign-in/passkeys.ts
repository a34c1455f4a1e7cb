import * as z from 'zod/mini';
import { plainLine, visibleText } from '../text.ts';

/** Bytes as the WebAuthn API names them, in base64url. */
const bytes = (maxLength: number) => z.string().check(z.maxLength(maxLength), z.regex(/^[\w-]+$/));

/** What an authenticator signs at a sign-in or for a proof. */
export const passkeyAssertion = z.strictObject({
  id: bytes(1_400),
  clientDataJSON: bytes(4_000),
  authenticatorData: bytes(4_000),
  signature: bytes(4_000),
});
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>;

/** A challenge for an authenticator, and the passkeys of the signed-in user. */
export const passkeyChallenge = z.object({
  challenge: z.string(),
  rpId: z.string(),
  credentials: z.array(z.object({ id: z.string(), transports: z.array(z.string()) })),
});
export type PasskeyChallenge = z.infer<typeof passkeyChallenge>;

/** What a browser needs to create a passkey. */
export const passkeySetUp = z.extend(passkeyChallenge, {
  rpName: z.string(),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
});
export type PasskeySetUp = z.infer<typeof passkeySetUp>;

const name = z
  .string('Dê um nome à chave.')
  .check(z.trim(), visibleText('Dê um nome à chave.'), z.maxLength(60, 'O nome é longo demais.'), plainLine);

export const passkeyRename = z.strictObject({ name });

export const passkeyInput = z.strictObject({
  name,
  credential: z.strictObject({
    id: bytes(1_400),
    clientDataJSON: bytes(4_000),
    attestationObject: bytes(20_000),
    transports: z.array(z.string().check(z.maxLength(20), z.regex(/^[a-z-]+$/))).check(z.maxLength(10)),
  }),
});
export type PasskeyInput = z.infer<typeof passkeyInput>;

/** At most this many passkeys in an account. */
export const passkeysMaxItems = 20;
