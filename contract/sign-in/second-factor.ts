import * as z from 'zod/mini';
import { sessionInfo } from '../user.ts';

/** The response to a sign-in with the right password: a session, or a request for the second factor. */
export const signInResponse = z.union([sessionInfo, z.object({ secondFactor: z.literal(true) })]);
export type SignInResponse = z.infer<typeof signInResponse>;

/** Six digits from the authenticator app, or one of the recovery codes. */
export const secondFactorCode = z.strictObject({
  code: z
    .string('Preencha o código.')
    .check(
      z.trim(),
      z.minLength(6, 'O código tem pelo menos 6 caracteres.'),
      z.maxLength(30, 'O código é longo demais.'),
    ),
});

/** Six digits from the authenticator app. */
export const authenticatorCode = z.strictObject({
  code: z
    .string('Preencha o código.')
    .check(z.trim(), z.regex(/^\d{6}$/, 'Escreva os seis números do aplicativo.')),
});

/** The key for an authenticator app (an otpauth: URI, shown as a QR code), and the recovery codes. */
export const secondFactorSetUp = z.object({ uri: z.string(), recoveryCodes: z.array(z.string()) });
export type SecondFactorSetUp = z.infer<typeof secondFactorSetUp>;
