import * as z from 'zod/mini';
import { limits } from '../limits.ts';
import { passkeyAssertion } from './passkeys.ts';

/** The current password, which the user repeats to confirm a request. */
export const currentPassword = z
  .string('Preencha a sua senha.')
  .check(
    z.minLength(1, 'Preencha a sua senha.'),
    z.maxLength(limits.passwordMaxLength, 'Senha longa demais.'),
  );

/**
 * How a user proves who they are before a change of how the account is entered: by the password or a passkey.
 * A user without a password can also send nothing, within `limits.freshSignInMs` after a sign-in.
 */
export const proof = z.strictObject({
  password: z.optional(currentPassword),
  passkey: z.optional(passkeyAssertion),
});
export type Proof = z.infer<typeof proof>;
