import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkClinic } from './check.ts';
import { texts } from './texts.ts';

/** The clinic's texts with a changed identity. */
const withIdentity = (change: object) => ({ ...texts, identity: { ...texts.identity, ...change } });

test('the texts of the repository are valid', () => {
  checkClinic();
});

const mistakes: [name: string, candidate: unknown, sentence: string][] = [
  [
    'a WhatsApp number with spaces and a plus sign',
    withIdentity({ whatsapp: '+55 00 00000-0000' }),
    'Confira clinic/identity.ts, em whatsapp: o WhatsApp deve ser como "5500000000000": 55, DDD e número, só algarismos.',
  ],
  [
    'a WhatsApp number without the country',
    withIdentity({ whatsapp: '00000000000' }),
    'Confira clinic/identity.ts, em whatsapp: o WhatsApp deve ser como "5500000000000": 55, DDD e número, só algarismos.',
  ],
  [
    'an empty CRM',
    withIdentity({ crm: '' }),
    'Confira clinic/identity.ts, em crm: o CRM deve ser como "CRM-UF 000000".',
  ],
  [
    'no RQE beside a specialty',
    withIdentity({ rqe: '' }),
    'Confira clinic/identity.ts, em rqe: o RQE deve ser como "RQE 00000".',
  ],
  [
    'a portrait on another server',
    {
      ...texts,
      home: {
        ...texts.home,
        hero: { ...texts.home.hero, portrait: { file: 'https://example.com/a.png', alt: 'Retrato' } },
      },
    },
    'Confira clinic/home.ts, em hero.portrait.file: a imagem deve ser um arquivo da pasta clinic/images, como "/images/retrato.svg".',
  ],
  [
    'a portrait without a description',
    {
      ...texts,
      home: {
        ...texts.home,
        about: { ...texts.home.about, portrait: { ...texts.home.about.portrait, alt: '' } },
      },
    },
    'Confira clinic/home.ts, em about.portrait.alt: falta a descrição da imagem.',
  ],
  [
    'a shelf of the members’ page that says nothing',
    { ...texts, member: { ...texts.member, courses: { ...texts.member.courses, text: ' ' } } },
    'Confira clinic/member.ts, em courses.text: falta um texto.',
  ],
  [
    'a useful link that is not a URL',
    {
      ...texts,
      member: {
        ...texts.member,
        links: { ...texts.member.links, items: [{ title: 'CVV', text: 'Ajuda', url: 'cvv.org.br' }] },
      },
    },
    'Confira clinic/member.ts, em links.items.0.url: o endereço do item deve ser um endereço que começa com https://.',
  ],
];

for (const updated of ['22 de novembro de 2026', '2026-13-01', ''])
  test(`a privacy notice with the date "${updated}" stops the build`, () => {
    const candidate = { ...texts, privacy: { ...texts.privacy, updated } };
    assert.throws(() => checkClinic(candidate), {
      message:
        'Confira clinic/privacy.ts, em updated: a data da última mudança deve ser como "2026-11-22": ano, mês e dia.',
    });
  });

for (const [name, candidate, sentence] of mistakes)
  test(`${name} stops the build with one sentence`, () => {
    assert.throws(() => checkClinic(candidate), { message: sentence });
  });
