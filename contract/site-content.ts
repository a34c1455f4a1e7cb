import * as z from 'zod';

/** Every text of the clinic must match these schemas, so that gaps and mistakes are found before a visitor. */
const sentence = (what: string) => z.string().trim().min(1, `falta ${what}`);
const digits = (what: string, pattern: RegExp, example: string) =>
  z.string().regex(pattern, `${what} deve ser como ${example}`);
const webAddress = (what: string) =>
  z.url({ protocol: /^https$/, error: `${what} deve ser um endereço que começa com https://` });
const mailAddress = (what: string) => z.email(`${what} deve ser um e-mail`);

export const identitySchema = z.strictObject({
  shortName: sentence('o nome curto'),
  doctorName: sentence('o nome da médica ou do médico'),
  profession: z
    .string()
    .regex(
      /^(?:Médica|Médico)(?: psiquiatra)?$/,
      'a profissão deve ser "Médica", "Médico", "Médica psiquiatra" ou "Médico psiquiatra"',
    ),
  crm: digits('o CRM', /^CRM-[A-Z]{2} \d{3,7}$/, '"CRM-UF 000000"'),
  /** The medical council (CFM) requires this number from doctors who name a specialty. */
  rqe: digits('o RQE', /^RQE \d{2,7}$/, '"RQE 00000"'),
  email: mailAddress('o e-mail de contato'),
  whatsapp: digits('o WhatsApp', /^55\d{10,11}$/, '"5500000000000": 55, DDD e número, só algarismos'),
  bookingText: sentence('o texto de agendamento'),
  places: sentence('onde é o atendimento'),
  address: z.array(sentence('uma linha do endereço')).min(1, 'falta o endereço'),
  hours: sentence('o horário de atendimento'),
  social: z.array(
    z.strictObject({
      network: z.enum(['Instagram', 'YouTube', 'LinkedIn'], 'a rede deve ser Instagram, YouTube ou LinkedIn'),
      url: webAddress('o endereço da rede social'),
    }),
  ),
  privacyContact: z.strictObject({
    name: sentence('o nome de quem responde pela privacidade'),
    email: mailAddress('o e-mail de privacidade'),
  }),
});
export type Identity = z.infer<typeof identitySchema>;

const titled = z.strictObject({ title: sentence('um título'), text: sentence('um texto') });

/** A file of clinic/images, as its path on the site. */
const picture = z
  .string()
  .regex(
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
  description: sentence('a descrição da página').max(200, 'a descrição da página passa de 200 caracteres'),
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
    paragraphs: z.array(sentence('um texto')).min(1),
    portrait,
  }),
  steps: z.strictObject({
    title: sentence('um título'),
    lead: sentence('um texto'),
    items: z.array(titled).length(4, 'os passos devem ser quatro'),
  }),
  resources: z.strictObject({ title: sentence('um título') }),
  listen: z.strictObject({
    title: sentence('um título'),
    text: sentence('um texto'),
    audio: z
      .string()
      .regex(
        /^\/audio\/[\w-]+\.(?:mp3|m4a)$/,
        'o áudio deve ser um arquivo da pasta clinic/audio, como "/audio/tres-minutos.mp3"',
      ),
    /** A text alternative to the audio. */
    reading: z.array(sentence('um texto')).min(1, 'falta o texto para quem prefere ler'),
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

export const questionsSchema = z
  .array(
    z.strictObject({
      question: sentence('uma pergunta'),
      answer: z.array(sentence('uma resposta')).min(1, 'falta uma resposta'),
    }),
  )
  .min(10, 'as perguntas devem ser pelo menos dez');
export type Questions = z.infer<typeof questionsSchema>;

export const practicesSchema = z.strictObject({
  description: sentence('a descrição da página').max(200, 'a descrição da página passa de 200 caracteres'),
  /** The introduction of each of the four lists. */
  leads: z.strictObject({
    mind: sentence('um texto'),
    move: sentence('um texto'),
    nutri: sentence('um texto'),
    values: sentence('um texto'),
  }),
  note: sentence('um texto'),
  tips: z.array(titled).length(6, 'as dicas devem ser seis'),
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
  items: z.array(
    z.strictObject({
      title: sentence('um título'),
      text: sentence('um texto'),
      url: webAddress('o endereço do item'),
    }),
  ),
});

export const memberSchema = z.strictObject({
  lead: sentence('um texto'),
  courses: shelf,
  links: shelf,
});
export type MemberTexts = z.infer<typeof memberSchema>;

export const aboutSchema = z.strictObject({
  description: sentence('a descrição da página').max(200, 'a descrição da página passa de 200 caracteres'),
  title: sentence('um título'),
  lead: sentence('um texto'),
  act: z.strictObject({
    title: sentence('um título'),
    goal: sentence('o objetivo'),
    paragraphs: z.array(sentence('um texto')).min(1),
  }),
  processes: z
    .array(
      z.strictObject({
        id: z
          .string()
          .regex(/^[a-z-]+$/, 'a identificação de um processo deve ter só letras minúsculas e hífen'),
        name: sentence('o nome de um processo'),
        /** The label on a petal, at most three words. */
        label: z.string().regex(/^\S+(?: \S+){0,2}$/, 'o rótulo de um processo deve ter até três palavras'),
        opposite: sentence('o contrário de um processo'),
        text: z.array(sentence('um texto')).min(1),
        exercise: z
          .array(sentence('um passo do exercício'))
          .min(2, 'um exercício deve ter pelo menos dois passos'),
      }),
    )
    .length(6, 'os processos devem ser seis'),
  fap: z.strictObject({
    title: sentence('um título'),
    paragraphs: z.array(sentence('um texto')).min(1),
    /** Explains the behaviours in plain words. */
    behavioursLead: sentence('um texto'),
    behaviours: z.array(titled).length(3, 'os comportamentos clinicamente relevantes devem ser três'),
    rulesTitle: sentence('um título'),
    rules: z.array(titled).length(5, 'as regras da FAP devem ser cinco'),
  }),
  together: z.strictObject({
    title: sentence('um título'),
    paragraphs: z.array(sentence('um texto')).min(1),
  }),
});
export type AboutTexts = z.infer<typeof aboutSchema>;

export const privacySchema = z.strictObject({
  description: sentence('a descrição da página').max(200, 'a descrição da página passa de 200 caracteres'),
  lead: sentence('um texto'),
  /** The date of the last change of this text. */
  updated: z.iso.date('a data da última mudança deve ser como "2026-11-22": ano, mês e dia'),
  sections: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[a-z-]+$/),
        title: sentence('um título'),
        blocks: z.array(z.union([sentence('um texto'), z.array(sentence('um item')).min(1)])).min(1),
      }),
    )
    .min(1),
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
