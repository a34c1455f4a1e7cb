import * as z from 'zod/mini';
import { limits } from '../limits.ts';
import { isVisible } from '../text.ts';
import { aboutSchema } from './about.ts';
import { diarySchema, sampleDiary } from './diary.ts';
import {
  audio,
  exactly,
  line,
  linkAddress,
  optionalLine,
  optionalPicture,
  optionalSentence,
  optionalWebAddress,
  pageDescription,
  pattern,
  portrait,
  sentence,
  several,
  titled,
  webAddress,
} from './fields.ts';
import { identitySchema } from './identity.ts';
import { hasFees } from './menu.ts';
import { aboutParts, homeParts } from './parts.ts';

/*
 * The schemas of what a clinic writes. A draft may break some rules; for example, a text may be missing. Its
 * structure and its sizes must always match the schemas. Published content must match all rules.
 */

/*
 * The pages had these texts before a clinic could change them. They are the defaults for content from that
 * time. Scripts contain these defaults, but must not contain a text of the sample content (build.test.ts), so
 * the sample content uses other words.
 */

const earlierResources = [
  {
    title: 'Práticas guiadas',
    text: 'Atenção plena, respiração e descanso, em vídeos e textos curtos',
    url: '/practices',
  },
  {
    title: 'O que são ACT e FAP',
    text: 'Uma leitura sem jargão, com seis exercícios de um minuto',
    url: '/about',
  },
  {
    title: 'O que é o CAPS e como chegar',
    text: 'Cuidado em saúde mental pelo SUS, perto de casa. Página do Ministério da Saúde',
    url: 'https://www.gov.br/saude/pt-br/composicao/saes/desmad/raps/caps',
  },
];

const earlierTexts = {
  approachLink: 'Conheça os seis processos da ACT',
  questionsLead: 'Não achou a sua dúvida?',
  questionsLink: 'Escreva para nós',
  allPractices: 'Práticas curtas para o corpo, a mente e o que importa. Escolha uma para hoje.',
  tipsTitle: 'Como aproveitar uma prática',
  tipsLead: 'Seis lembretes simples para antes de começar.',
};

/** Who the doctor is. Without training, way and treats, the site does not show the section. */
const doctorSchema = z.strictObject({
  photo: optionalPicture,
  /** Degrees and courses, each with its year or years. */
  training: several(
    z.strictObject({
      name: line('a formação'),
      years: optionalLine('o ano', limits.siteShortTextMaxLength),
    }),
    0,
    '',
  ),
  /** How the doctor works. */
  way: several(sentence('um texto'), 0, ''),
  /** What the doctor treats, in the words of patients. */
  treats: several(line('o que trata', limits.siteShortTextMaxLength), 0, ''),
});

/** How fees, insurance and payment work. Without any of the lists, the site does not show the section. */
const feesSchema = z
  .strictObject({
    title: optionalLine('o título'),
    prices: z._default(
      several(
        z.strictObject({
          name: line('o nome da consulta', limits.siteShortTextMaxLength),
          duration: optionalLine('a duração', limits.siteShortTextMaxLength),
          price: line('o valor', limits.siteShortTextMaxLength),
        }),
        0,
        '',
      ),
      [],
    ),
    paragraphs: several(sentence('um texto'), 0, ''),
    items: several(titled, 0, ''),
  })
  .check(
    z.refine((fees) => fees.title !== '' || !hasFees(fees), {
      path: ['title'],
      error: 'falta um título',
      params: { inDraft: true },
    }),
  );
export const homeSchema = z.strictObject({
  title: line('o título da página'),
  description: pageDescription,
  hero: z.strictObject({
    lines: z.tuple([line('a primeira frase'), line('a segunda frase')]),
    lead: sentence('a apresentação'),
    note: sentence('o aviso sobre o WhatsApp'),
    /** Short answers to visitors' first questions, shown below the hero. */
    facts: z._default(
      z
        .array(line('o fato', limits.siteShortTextMaxLength))
        .check(z.maxLength(limits.siteFactsMaxItems, `são no máximo ${limits.siteFactsMaxItems} fatos`)),
      [],
    ),
    portrait,
  }),
  care: z.strictObject({
    title: line('um título'),
    consultation: titled,
    medicine: titled,
    practices: titled,
    secrecy: titled,
  }),
  doctor: z._default(doctorSchema, { photo: { alt: '' }, training: [], way: [], treats: [] }),
  about: z.strictObject({
    title: line('um título'),
    lead: sentence('um texto'),
    paragraphs: several(sentence('um texto'), 1, 'falta um texto'),
    /** The words of the link to the page about the approach. */
    link: z._default(line('o texto do link'), earlierTexts.approachLink),
    portrait,
  }),
  steps: z.strictObject({
    title: line('um título'),
    lead: sentence('um texto'),
    items: several(titled, 1, 'falta um passo', limits.siteStepsMaxItems),
  }),
  fees: z._default(feesSchema, { title: '', prices: [], paragraphs: [], items: [] }),
  resources: z.strictObject({
    title: line('um título'),
    items: z._default(
      several(
        z.strictObject({
          title: line('um título'),
          text: sentence('um texto'),
          url: linkAddress('o endereço do link'),
        }),
        0,
        '',
        limits.siteResourcesMaxItems,
      ),
      earlierResources,
    ),
  }),
  listen: z.strictObject({
    title: line('um título'),
    text: sentence('um texto'),
    audio,
    /** A text alternative to the audio. */
    reading: several(sentence('um texto'), 1, 'falta o texto para quem prefere ler'),
  }),
  faq: z.strictObject({
    title: line('um título'),
    /** `lead` is the line below the questions. `link` is the text of its link to the contact section. */
    lead: z._default(line('um texto'), earlierTexts.questionsLead),
    link: z._default(line('o texto do link'), earlierTexts.questionsLink),
  }),
  newsletter: z.strictObject({
    title: line('um título'),
    lead: sentence('um texto'),
    consent: sentence('o pedido de consentimento'),
  }),
  contact: z.strictObject({
    title: line('um título'),
    /** A link to a map that shows the way to the office. */
    route: z._default(optionalWebAddress('o endereço do mapa'), ''),
    /** Whether people with reduced mobility can enter and use the office. */
    access: z._default(several(line('um texto'), 0, ''), []),
    /** Photographs of the room. */
    photos: z._default(
      z.strictObject({ first: optionalPicture, second: optionalPicture, third: optionalPicture }),
      {
        first: { alt: '' },
        second: { alt: '' },
        third: { alt: '' },
      },
    ),
  }),
});
export type HomeTexts = z.infer<typeof homeSchema>;

export const questionsSchema = several(
  z.strictObject({
    question: line('uma pergunta'),
    answer: several(sentence('uma resposta'), 1, 'falta uma resposta'),
  }),
  1,
  'falta uma pergunta',
);
export type Questions = z.infer<typeof questionsSchema>;

/** Needs (contract/practices/needs.ts) in the order of their links. */
const needsSchema = several(
  z.strictObject({
    id: pattern(
      'a identificação de uma necessidade',
      /^[a-z0-9-]{1,24}$/,
      '"sono": letras sem acento e hífen',
    ),
    name: line('o nome da necessidade', limits.siteShortTextMaxLength),
  }),
  0,
  '',
  limits.needsMaxItems,
).check(
  z.refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'há duas necessidades iguais'),
);

/** A video on another site. Without title, text and URL, the site does not show its card. */
const externalVideoSchema = z
  .strictObject({
    title: optionalLine('um título'),
    text: optionalSentence('um texto'),
    url: optionalWebAddress('o endereço do vídeo'),
  })
  .check(
    ...(
      [
        ['title', 'falta um título'],
        ['text', 'falta um texto'],
        ['url', 'falta o endereço do vídeo'],
      ] as const
    ).map(([key, error]) =>
      z.refine<Record<'title' | 'text' | 'url', string>>(
        (video) => isVisible(video[key]) || !Object.values(video).some(isVisible),
        { path: [key], error, params: { inDraft: true } },
      ),
    ),
  );

export const practicesSchema = z.strictObject({
  description: pageDescription,
  /** The introduction of all practices, and of each of the four lists. */
  leads: z.strictObject({
    all: z._default(sentence('um texto'), earlierTexts.allPractices),
    mind: sentence('um texto'),
    move: sentence('um texto'),
    nutri: sentence('um texto'),
    values: sentence('um texto'),
  }),
  /** The needs by which visitors find practices. */
  needs: z._default(needsSchema, []),
  note: sentence('um texto'),
  tipsTitle: z._default(line('o título das dicas'), earlierTexts.tipsTitle),
  tipsLead: z._default(line('a abertura das dicas'), earlierTexts.tipsLead),
  tips: exactly(titled, 6, 'as dicas devem ser seis'),
  externalVideo: externalVideoSchema,
  /** True if the site counts the uses of each practice, without recording the visitor. */
  countsUse: z._default(z.boolean(), true),
});
export type PracticesTexts = z.infer<typeof practicesSchema>;

const shelf = z.strictObject({
  /** Introduces `items`; if there are no items, says what the clinic plans. */
  text: sentence('um texto'),
  items: several(
    z.strictObject({
      title: line('um título'),
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

export const privacySchema = z.strictObject({
  description: pageDescription,
  lead: sentence('um texto'),
  /** The date of the clinic's last change. */
  updated: z.iso.date('a data da última mudança deve ser como "2026-11-22": ano, mês e dia'),
  /** What the clinic adds. The page itself contains the sentences about this software. */
  sections: several(
    z.strictObject({
      title: line('um título'),
      /** A string is a paragraph; an array is a bulleted list. */
      blocks: several(
        z.union([sentence('um texto'), several(sentence('um item'), 1, 'falta um item')]),
        1,
        'falta um texto',
      ),
    }),
    0,
    '',
  ),
});
export type PrivacyTexts = z.infer<typeof privacySchema>;

/** The order of a page's parts, and the parts that visitors do not see. */
const arranged = <const Parts extends readonly [string, ...string[]]>(parts: Parts) => {
  const several = z
    .array(z.enum(parts))
    .check(z.refine((names) => new Set(names).size === names.length, 'cada parte aparece uma vez'));
  return z.strictObject({ order: several, hidden: several });
};

const arrangementSchema = z.strictObject({
  home: arranged(homeParts),
  about: arranged(aboutParts).check(
    z.refine(({ hidden }) => hidden.length < aboutParts.length, {
      error: 'deixe pelo menos uma parte na página',
      params: { inDraft: true },
    }),
  ),
  /** The parts of the content whose sample texts the clinic keeps, such as `home.steps` or `questions`. */
  confirmed: z
    .array(z.string().check(z.maxLength(60), z.regex(/^[a-zA-Z]+(?:\.[a-zA-Z]+)?$/)))
    .check(z.maxLength(limits.siteListMaxItems)),
});
export type Arrangement = z.infer<typeof arrangementSchema>;

/** Everything that a clinic writes: what visitors read on the public pages, and members on theirs. */
export const siteContentSchema = z.strictObject({
  identity: identitySchema,
  home: homeSchema,
  about: aboutSchema,
  member: memberSchema,
  practices: practicesSchema,
  privacy: privacySchema,
  questions: questionsSchema,
  diary: z._default(diarySchema, sampleDiary),
  arrangement: z._default(arrangementSchema, {
    home: { order: [], hidden: [] },
    about: { order: [], hidden: [] },
    confirmed: [],
  }),
});
export type SiteContent = z.infer<typeof siteContentSchema>;
export type SectionName = keyof SiteContent;
export const sectionNames = Object.keys(siteContentSchema.shape) as SectionName[];
