import * as z from 'zod/mini';
import { limits } from './limits.ts';
import { plainLine, visibleText, withAsciiDomain } from './text.ts';

/** Messages of the forms, exactly as the specification quotes them. */
export const credentialMessages = {
  email: 'Preencha um email válido.',
  password: 'A senha precisa ter pelo menos 8 caracteres.',
  passwordCharacters: 'A senha pode ter apenas letras e números.',
  passwordTooLong: 'A senha pode ter no máximo 128 caracteres.',
  nameRequired: 'You need a first name',
  emailRequired: 'You need a email',
  passwordRequired: 'You need a password',
  nameCharacters: 'O nome tem caracteres que não podem ser usados aqui.',
  nameTooLong: 'O nome pode ter no máximo 120 caracteres.',
} as const;

/**
 * An email address, no longer than SMTP allows. This schema neither trims nor lower-cases it, but writes a
 * domain such as `clínica.com.br` in ASCII.
 */
export const email = z
  .string(credentialMessages.emailRequired)
  .check(
    z.maxLength(limits.emailMaxLength, { error: credentialMessages.email, abort: true }),
    z.overwrite(withAsciiDomain),
    z.maxLength(limits.emailMaxLength, credentialMessages.email),
    z.email(credentialMessages.email),
  );

/** A new password: ASCII letters and digits only. This schema neither trims nor lower-cases it. */
export const newPassword = z
  .string(credentialMessages.passwordRequired)
  .check(
    z.minLength(limits.passwordMinLength, credentialMessages.password),
    z.maxLength(limits.passwordMaxLength, credentialMessages.passwordTooLong),
    z.regex(/^[A-Za-z0-9]*$/, credentialMessages.passwordCharacters),
  );

/**
 * The rule of `newPassword` in the language of the attribute `passwordrules`, for password managers that
 * propose passwords (https://developer.apple.com/password-rules/).
 */
export const passwordRules =
  `minlength: ${limits.passwordMinLength}; maxlength: ${limits.passwordMaxLength}; ` +
  'required: lower; required: digit; allowed: upper;';

/**
 * Characters that change the direction of the text after them. They could disguise a name, or reverse the
 * text around it in the admins' lists.
 */
const directions = /[\u202a-\u202e\u2066-\u2069]/;

/** A user's name: one line, with at least one visible character. */
export const displayName = z.string(credentialMessages.nameRequired).check(
  z.trim(),
  visibleText(credentialMessages.nameRequired),
  z.maxLength(limits.nameMaxLength, credentialMessages.nameTooLong),
  plainLine,
  z.refine<string>((name) => !directions.test(name), {
    error: credentialMessages.nameCharacters,
    when: ({ issues }) => issues.length === 0,
  }),
);

export const signUpInput = z.strictObject({ displayName, email, password: newPassword });
export type SignUpInput = z.infer<typeof signUpInput>;

/** Sign-in accepts any password and limits only its length. */
export const signInInput = z.strictObject({
  email,
  password: z
    .string(credentialMessages.passwordRequired)
    .check(
      z.minLength(1, credentialMessages.passwordRequired),
      z.maxLength(limits.passwordMaxLength, credentialMessages.passwordTooLong),
    ),
});
export type SignInInput = z.infer<typeof signInInput>;

export const passwordResetRequest = z.strictObject({ email });
export const passwordReset = z.strictObject({
  token: z.string().check(z.minLength(1), z.maxLength(200)),
  password: newPassword,
});
export type PasswordReset = z.infer<typeof passwordReset>;

/** The token in the link of a verification mail. */
export const emailVerificationToken = z.strictObject({
  token: z.string().check(z.minLength(1), z.maxLength(200)),
});

/** Uses a link. Only a browser that did not ask for the link sends a password. */
export const emailVerification = z.extend(emailVerificationToken, { password: z.optional(newPassword) });
export type EmailVerification = z.infer<typeof emailVerification>;

/** The token in the one-time link of the first start. It makes the signed-in user an admin. */
export const firstAdminInput = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(200)) });

/** A newsletter subscription. `consent` is required; the server stores the time of the consent as proof. */
export const newsletterSignUp = z.strictObject({
  email,
  consent: z.literal(true, 'Marque a caixa para receber a carta.'),
});

/** The token of a confirmation or unsubscribe link. */
export const newsletterToken = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(300)) });
