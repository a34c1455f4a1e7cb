import * as z from 'zod/mini';
import { email } from './credentials.ts';

/** A newsletter subscription. `consent` is required; the server stores the time of the consent as proof. */
export const newsletterSignUp = z.strictObject({
  email,
  consent: z.literal(true, 'Marque a caixa para receber a carta.'),
});
export type NewsletterSignUp = z.infer<typeof newsletterSignUp>;

/** The token of a confirmation or unsubscribe link. */
export const newsletterToken = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(300)) });
