import * as z from 'zod/mini';
import { limits } from '../limits.ts';
import { plainLine, plainText, visibleText } from '../text.ts';

/** A text of one or more sentences, without HTML. */
export const sentence = (what: string) => optionalSentence(what).check(visibleText(`falta ${what}`));
/** A text that the clinic can leave out. */
export const optionalSentence = (what: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(limits.siteTextMaxLength, `${what} passa de ${limits.siteTextMaxLength} caracteres`),
      plainText,
    );
/** A title or another text without line breaks. */
export const line = (what: string, atMost: number = limits.siteLineMaxLength) =>
  optionalLine(what, atMost).check(visibleText(`falta ${what}`));
/** A line that the clinic can leave out. */
export const optionalLine = (what: string, atMost: number = limits.siteLineMaxLength) =>
  z.string().check(z.trim(), z.maxLength(atMost, `${what} passa de ${atMost} caracteres`), plainLine);
/** What search engines show below the title. */
export const pageDescription = z
  .string()
  .check(
    z.trim(),
    visibleText('falta a descrição da página'),
    z.maxLength(200, 'a descrição da página passa de 200 caracteres'),
    plainText,
  );
export const pattern = (what: string, shape: RegExp, example: string) =>
  z
    .string()
    .check(
      z.maxLength(limits.siteTextMaxLength, `${what} é longo demais`),
      z.regex(shape, `${what} deve ser como ${example}`),
      plainText,
    );
const address = (what: string, shape: RegExp) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(limits.urlMaxLength, `${what} é longo demais`),
      z.regex(shape, `${what} deve ser um endereço que começa com https://`),
      plainText,
    );
export const webAddress = (what: string) => address(what, /^https:\/\/[^\s\\/?#][^\s\\]*$/);
/** An https URL that the clinic can leave out. */
export const optionalWebAddress = (what: string) => address(what, /^(?:https:\/\/[^\s\\/?#][^\s\\]*)?$/);
export const mailAddress = (what: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(limits.emailMaxLength, `${what} é longo demais`),
      z.email(`${what} deve ser um e-mail`),
      plainText,
    );
/** The path of a page of this site, or an https URL. */
export const linkAddress = (what: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(limits.urlMaxLength, `${what} é longo demais`),
      z.regex(
        /^(?:https:\/\/[^\s\\/?#][^\s\\]*|\/(?!\/)[\w./?&=%#-]*)$/,
        `${what} deve começar com https://, ou com / para uma página deste site`,
      ),
      plainText,
    );
/** A list to which a clinic can add items. */
export const several = <Item extends z.core.$ZodType>(
  item: Item,
  atLeast: number,
  missing: string,
  atMost: number = limits.siteListMaxItems,
) => z.array(item).check(z.minLength(atLeast, missing), z.maxLength(atMost, `são no máximo ${atMost}`));
export const exactly = <Item extends z.core.$ZodType>(item: Item, count: number, message: string) =>
  z.array(item).check(z.length(count, message));

export const titled = z.strictObject({ title: line('um título'), text: sentence('um texto') });

/** The path of a file of the site. */
const siteFile = (shape: RegExp, message: string) =>
  z.string().check(z.maxLength(limits.urlMaxLength, message), z.regex(shape, message));
/** A stored picture, or a picture of the sample content. */
export const picture = siteFile(
  /^(?:\/images\/[\w-]+\.(?:svg|png|jpe?g|webp|avif)|\/files\/site\/(?:portrait|profile)\/[\w-]{1,64}\?token=[\w-]+)$/,
  'escolha uma imagem',
);
/** A stored sound, or the sound of the sample content. */
export const audio = siteFile(
  /^(?:\/audio\/[\w-]+\.(?:mp3|m4a)|\/files\/site\/audio\/[\w-]{1,64}\?token=[\w-]+)$/,
  'escolha um áudio',
);

export const portrait = z.strictObject({
  file: picture,
  /** The picture for the dark theme, if it differs from `file`. */
  dark: z.optional(picture),
  /** The text alternative for users who cannot see the picture. */
  alt: line('a descrição da imagem', limits.siteAltMaxLength),
});
export type Portrait = z.infer<typeof portrait>;

/** A picture that the clinic can leave out. */
export const optionalPicture = z
  .strictObject({
    file: z.optional(picture),
    alt: optionalLine('a descrição da imagem', limits.siteAltMaxLength),
  })
  .check(
    z.refine(({ file, alt }) => !file || alt !== '', {
      path: ['alt'],
      error: 'falta a descrição da imagem',
      params: { inDraft: true },
    }),
  );
export type OptionalPicture = z.infer<typeof optionalPicture>;
