import * as z from 'zod/mini';
import { limits } from './limits.ts';

/** The current password, which the user repeats to confirm a request. */
export const currentPassword = z
  .string('Preencha a sua senha.')
  .check(
    z.minLength(1, 'Preencha a sua senha.'),
    z.maxLength(limits.passwordMaxLength, 'Senha longa demais.'),
  );

/**
 * How a user proves who they are before a change of how the account is entered. A user without a password
 * sends nothing, and must have signed in during the last `limits.freshSignInMs`.
 */
export const proof = z.strictObject({ password: z.optional(currentPassword) });
export type Proof = z.infer<typeof proof>;
