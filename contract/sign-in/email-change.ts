import * as z from 'zod/mini';
import { email } from '../credentials.ts';
import { proof } from './proof.ts';

/** The request to change the account's email address. */
export const emailChangeInput = z.extend(proof, { email });
export type EmailChangeInput = z.infer<typeof emailChangeInput>;

/** The token in a link that confirms a change of the email address, or takes it back. */
export const emailChangeToken = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(200)) });

/** The email address that an account has again. */
export const emailTakenBack = z.object({ email: z.string() });
