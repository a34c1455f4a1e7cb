import * as z from 'zod/mini';
import { limits } from './limits.ts';
import { plainText, visibleText } from './text.ts';

/*
 * What a clinic writes. A draft may break a rule of content, such as a missing text; its structure and its sizes
 * must always match. Published content must match everything.
 */

/** A text of one or more sentences, without HTML. */
const sentence = (what: string) =>
  z
    .string()
    .check(
      z.trim(),
      visibleText(`falta ${what}`),
      z.maxLength(limits.siteTextMaxLength, `${what} passa de ${limits.siteTextMaxLength} caracteres`),
      plainText,
    );
/** What search engines show below the title. */
const pageDescription = z
  .string()
  .check(
    z.trim(),
    visibleText('falta a descrição da página'),
    z.maxLength(200, 'a descrição da página passa de 200 caracteres'),
    plainText,
  );
const pattern = (what: string, shape: RegExp, example: string) =>
  z
    .string()
    .check(
      z.maxLength(limits.siteTextMaxLength, `${what} é longo demais`),
      z.regex(shape, `${what} deve ser como ${example}`),
      plainText,
    );
const webAddress = (what: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(limits.urlMaxLength, `${what} é longo demais`),
      z.regex(/^https:\/\/[^\s\\/?#][^\s\\]*$/, `${what} deve ser um endereço que começa com https://`),
      plainText,
    );
const mailAddress = (what: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(limits.emailMaxLength, `${what} é longo demais`),
      z.email(`${what} deve ser um e-mail`),
      plainText,
    );
/** A list that a clinic can lengthen. */
const several = <Item extends z.core.$ZodType>(item: Item, atLeast: number, missing: string) =>
  z
    .array(item)
    .check(
      z.minLength(atLeast, missing),
      z.maxLength(limits.siteListMaxItems, `são no máximo ${limits.siteListMaxItems}`),
    );
const exactly = <Item extends z.core.$ZodType>(item: Item, count: number, message: string) =>
  z.array(item).check(z.length(count, message));

export const identitySchema = z.strictObject({
  shortName: sentence('o nome curto'),
  doctorName: sentence('o nome da médica ou do médico'),
  profession: z
    .string()
    .check(
      z.regex(
        /^(?:Médica|Médico)(?: psiquiatra)?$/,
        'a profissão deve ser "Médica", "Médico", "Médica psiquiatra" ou "Médico psiquiatra"',
      ),
    ),
  crm: pattern('o CRM', /^CRM-[A-Z]{2} \d{3,7}$/, '"CRM-UF 000000"'),
  /** The medical council (CFM) requires this number from doctors who name a specialty. */
  rqe: pattern('o RQE', /^RQE \d{2,7}$/, '"RQE 00000"'),
  email: mailAddress('o e-mail de contato'),
  whatsapp: pattern('o WhatsApp', /^55\d{10,11}$/, '"5500000000000": 55, DDD e número, só algarismos'),
  bookingText: sentence('o texto de agendamento'),
  places: sentence('onde é o atendimento'),
  address: several(sentence('uma linha do endereço'), 1, 'falta o endereço'),
  hours: sentence('o horário de atendimento'),
  social: several(
    z.strictObject({
      network: z.enum(['Instagram', 'YouTube', 'LinkedIn'], 'a rede deve ser Instagram, YouTube ou LinkedIn'),
      url: webAddress('o endereço da rede social'),
    }),
    0,
    '',
  ),
  privacyContact: z.strictObject({
    name: sentence('o nome de quem responde pela privacidade'),
    email: mailAddress('o e-mail de privacidade'),
  }),
});
export type Identity = z.infer<typeof identitySchema>;

const titled = z.strictObject({ title: sentence('um título'), text: sentence('um texto') });

/** A file of the site, as its path. */
const siteFile = (shape: RegExp, message: string) =>
  z.string().check(z.maxLength(limits.urlMaxLength, message), z.regex(shape, message));
const picture = siteFile(
  /^\/images\/[\w-]+\.(?:svg|png|jpe?g|webp|avif)$/,
  'a imagem deve ser um arquivo da pasta clinic/images, como "/images/retrato.svg"',
);
const portrait = z.strictObject({
  file: picture,
  /** The picture for the dark theme, if the theme has its own. */
  dark: z.optional(picture),
  /** The text alternative for users who cannot see the picture. */
  alt: sentence('a descrição da imagem'),
});
export type Portrait = z.infer<typeof portrait>;

export const homeSchema = z.strictObject({
  title: sentence('o título da página'),
  description: pageDescription,
  hero: z.strictObject({
    lines: z.tuple([sentence('a primeira frase'), sentence('a segunda frase')]),
    lead: sentence('a apresentação'),
    note: sentence('o aviso sobre o WhatsApp'),
    portrait,
  }),
  care: z.strictObject({
    title: sentence('um título'),
    consultation: titled,
    medicine: titled,
    practices: titled,
    secrecy: titled,
  }),
  about: z.strictObject({
    title: sentence('um título'),
    lead: sentence('um texto'),
    paragraphs: several(sentence('um texto'), 1, 'falta um texto'),
    portrait,
  }),
  steps: z.strictObject({
    title: sentence('um título'),
    lead: sentence('um texto'),
    items: exactly(titled, 4, 'os passos devem ser quatro'),
  }),
  resources: z.strictObject({ title: sentence('um título') }),
  listen: z.strictObject({
    title: sentence('um título'),
    text: sentence('um texto'),
    audio: siteFile(
      /^\/audio\/[\w-]+\.(?:mp3|m4a)$/,
      'o áudio deve ser um arquivo da pasta clinic/audio, como "/audio/tres-minutos.mp3"',
    ),
    /** A text alternative to the audio. */
    reading: several(sentence('um texto'), 1, 'falta o texto para quem prefere ler'),
  }),
  faq: z.strictObject({ title: sentence('um título') }),
  newsletter: z.strictObject({
    title: sentence('um título'),
    lead: sentence('um texto'),
    consent: sentence('o pedido de consentimento'),
  }),
  contact: z.strictObject({ title: sentence('um título') }),
});
export type HomeTexts = z.infer<typeof homeSchema>;

export const questionsSchema = several(
  z.strictObject({
    question: sentence('uma pergunta'),
    answer: several(sentence('uma resposta'), 1, 'falta uma resposta'),
  }),
  10,
  'as perguntas devem ser pelo menos dez',
);
export type Questions = z.infer<typeof questionsSchema>;

export const practicesSchema = z.strictObject({
  description: pageDescription,
  /** The introduction of each of the four lists. */
  leads: z.strictObject({
    mind: sentence('um texto'),
    move: sentence('um texto'),
    nutri: sentence('um texto'),
    values: sentence('um texto'),
  }),
  note: sentence('um texto'),
  tips: exactly(titled, 6, 'as dicas devem ser seis'),
  externalVideo: z.strictObject({
    title: sentence('um título'),
    text: sentence('um texto'),
    url: webAddress('o endereço do vídeo'),
  }),
});
export type PracticesTexts = z.infer<typeof practicesSchema>;

const shelf = z.strictObject({
  title: sentence('um título'),
  /** Introduces `items`; if there are none, says what is planned. */
  text: sentence('um texto'),
  items: several(
    z.strictObject({
      title: sentence('um título'),
      text: sentence('um texto'),
      url: webAddress('o endereço do item'),
    }),
    0,
    '',
  ),
});

export const memberSchema = z.strictObject({
  lead: sentence('um texto'),
  courses: shelf,
  links: shelf,
});
export type MemberTexts = z.infer<typeof memberSchema>;

export const aboutSchema = z.strictObject({
  description: pageDescription,
  title: sentence('um título'),
  lead: sentence('um texto'),
  act: z.strictObject({
    title: sentence('um título'),
    goal: sentence('o objetivo'),
    paragraphs: several(sentence('um texto'), 1, 'falta um texto'),
  }),
  processes: exactly(
    z.strictObject({
      id: pattern('a identificação de um processo', /^[a-z-]+$/, '"aceitacao": só letras minúsculas e hífen'),
      name: sentence('o nome de um processo'),
      /** The label on a petal, at most three words. */
      label: z
        .string()
        .check(
          z.maxLength(60, 'o rótulo de um processo passa de 60 caracteres'),
          z.regex(/^\S+(?: \S+){0,2}$/, 'o rótulo de um processo deve ter até três palavras'),
          plainText,
        ),
      opposite: sentence('o contrário de um processo'),
      text: several(sentence('um texto'), 1, 'falta um texto'),
      exercise: several(sentence('um passo do exercício'), 2, 'um exercício deve ter pelo menos dois passos'),
    }),
    6,
    'os processos devem ser seis',
  ),
  fap: z.strictObject({
    title: sentence('um título'),
    paragraphs: several(sentence('um texto'), 1, 'falta um texto'),
    /** Explains the behaviours in plain words. */
    behavioursLead: sentence('um texto'),
    behaviours: exactly(titled, 3, 'os comportamentos clinicamente relevantes devem ser três'),
    rulesTitle: sentence('um título'),
    rules: exactly(titled, 5, 'as regras da FAP devem ser cinco'),
  }),
  together: z.strictObject({
    title: sentence('um título'),
    paragraphs: several(sentence('um texto'), 1, 'falta um texto'),
  }),
});
export type AboutTexts = z.infer<typeof aboutSchema>;

export const privacySchema = z.strictObject({
  description: pageDescription,
  lead: sentence('um texto'),
  /** The date of the last change of this text. */
  updated: z.iso.date('a data da última mudança deve ser como "2026-11-22": ano, mês e dia'),
  sections: several(
    z.strictObject({
      id: pattern('a identificação de uma seção', /^[a-z-]+$/, '"direitos": só letras minúsculas e hífen'),
      title: sentence('um título'),
      /** A string is a paragraph, a list is a bulleted list. */
      blocks: several(
        z.union([sentence('um texto'), several(sentence('um item'), 1, 'falta um item')]),
        1,
        'falta um texto',
      ),
    }),
    1,
    'falta uma seção',
  ),
});
export type PrivacyTexts = z.infer<typeof privacySchema>;

/** Everything that a clinic writes: what visitors read on the public pages, and members on theirs. */
export const siteContentSchema = z.strictObject({
  identity: identitySchema,
  home: homeSchema,
  about: aboutSchema,
  member: memberSchema,
  practices: practicesSchema,
  privacy: privacySchema,
  questions: questionsSchema,
});
export type SiteContent = z.infer<typeof siteContentSchema>;
export type SectionName = keyof SiteContent;
export const sectionNames = Object.keys(siteContentSchema.shape) as SectionName[];
