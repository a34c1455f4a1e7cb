import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteContent } from '#contract/site/content.ts';
import { warningsIn } from '#contract/site/warnings.ts';
import { demoContent } from './demo-content.ts';
import { texts } from './texts.ts';

/** Puts a note into content that causes no warnings, and returns the words of each warning about the note. */
const wordsIn = (note: string, content: SiteContent = demoContent) =>
  warningsIn({ ...content, practices: { ...content.practices, note } }, texts).map(({ words }) => words);

const restricted: [note: string, ...words: string[]][] = [
  ['O melhor cuidado.', 'O melhor'],
  ['Somos o  melhor lugar.', 'o  melhor'],
  ['Somos os\nmelhores.', 'os\nmelhores'],
  ['Somos a\u00a0melhor clínica.', 'a\u00a0melhor'],
  ['Resultado garantido.', 'garantido'],
  ['Nosso método garante alívio.', 'garante'],
  ['Para garantir o resultado.', 'garantir'],
  ['Tratamento com garantia.', 'garantia'],
  ['Garantia de melhora.', 'Garantia'],
  ['Há cura.', 'cura'],
  ['Nossos métodos curam.', 'curam'],
  ['Pacientes curados em um mês.', 'curados'],
  ['Veja o antes e depois.', 'antes e depois'],
  ['Veja o antes e o depois.', 'antes e o depois'],
  ['Leia os depoimentos.', 'depoimentos'],
  ['Leia relatos de pacientes.', 'relatos de pacientes'],
  ['Leia relatos dos nossos pacientes.', 'relatos dos nossos pacientes'],
  ['O que dizem os pacientes', 'O que dizem os pacientes'],
  ['Consulta com desconto.', 'desconto'],
  ['Em promoção.', 'promoção'],
  ['Pós-graduação em sono.', 'Pós-graduação'],
  ['Pós-graduada em sono, 2015.', 'Pós-graduada'],
  ['Valor promocional.', 'promocional'],
  ['Só hoje, 30% off!', '30% off'],
  ['Consulta de R$ 500 por R$ 350.', 'de R$ 500 por R$ 350'],
  ['De R$ 1.200,00 por apenas R$ 900.', 'De R$ 1.200,00 por apenas R$ 900'],
];
for (const [note, ...words] of restricted)
  test(`the admin confirms ${JSON.stringify(note)}`, () => {
    assert.deepEqual(wordsIn(note), words);
    const decomposed = `É só a maçã: ${note}`.normalize('NFD');
    assert.deepEqual(
      wordsIn(decomposed),
      words.map((one) => one.normalize('NFC')),
    );
  });

for (const note of [
  'Quem procura ajuda encontra escuta.',
  'A curadoria dos textos é minha. O curso é curto.',
  'Um dia melhor começa devagar; é melhor dormir cedo.',
  'Antes da consulta e depois dela, escreva se precisar.',
  'Promoção da saúde é um direito.',
  'Pós-graduação em medicina do sono, NÃO ESPECIALISTA.',
  'O paciente faz o relato no seu tempo.',
  'A consulta é de R$ 350 por hora, e o retorno, R$ 200.',
  'Conversamos sobre o que os pacientes sentem.',
])
  test(`the admin confirms nothing in ${JSON.stringify(note)}`, () => assert.deepEqual(wordsIn(note), []));

test('the admin confirms a specialty that the identity does not list with its registration', () => {
  const withSpecialties = (specialties: SiteContent['identity']['specialties']) => ({
    ...demoContent,
    identity: { ...demoContent.identity, specialties },
  });
  const found = wordsIn('Psiquiatra e especialista em sono.', withSpecialties([]));
  assert.ok(found.includes('Psiquiatra') && found.includes('especialista'));
  const neurologist = withSpecialties([{ name: 'neurologista', rqe: 'RQE 123' }]);
  const other = wordsIn('Psiquiatra e especialista em sono.', neurologist);
  assert.ok(other.includes('Psiquiatra') && other.includes('especialista em sono'));
  assert.ok(!wordsIn('Especialista em neurologia.', neurologist).includes('Especialista em neurologia'));
});

test('the admin confirms each fact of the sample content that stays', () => {
  const { schedule } = texts.identity;
  const { portrait } = texts.home.hero;
  const content: SiteContent = {
    ...demoContent,
    identity: { ...demoContent.identity, schedule },
    home: { ...demoContent.home, fees: texts.home.fees, hero: { ...demoContent.home.hero, portrait } },
    privacy: { ...demoContent.privacy, sections: texts.privacy.sections },
    arrangement: texts.arrangement,
  };
  const found = (arrangement: Partial<SiteContent['arrangement']>) =>
    warningsIn({ ...content, arrangement: { ...texts.arrangement, ...arrangement } }, texts).map(
      ({ section, path, words }) => [`${section}.${path}`, words],
    );
  const [hours, picture, fees, privacy] = [
    ['identity.schedule', '09:00'],
    ['home.hero.portrait', 'Ilustração: uma poltrona ao lado da janela, com uma planta'],
    ['home.fees', 'Pagamento e convênio'],
    ['privacy.sections', 'A consulta e o prontuário'],
  ];
  assert.deepEqual(found({}), [hours, picture, fees, privacy]);
  assert.deepEqual(found({ confirmed: ['home.hero', 'privacy'] }), [hours, fees]);
  assert.deepEqual(found({ home: { order: [], hidden: ['fees'] } }), [hours, picture, privacy]);
});

test('the admin confirms the titles of all pages that search engines would cut', () => {
  const shortName = 'Clínica de Psiquiatria da Dra. Aurora Jatobá em Serra Clara';
  const { home, about, identity } = demoContent;
  const content = {
    ...demoContent,
    identity: { ...identity, shortName },
    home: { ...home, title: 'Psiquiatria' },
    about: { ...about, pageTitle: 'ACT e FAP' },
  };
  assert.deepEqual(
    warningsIn(content, texts).map(({ section, path }) => `${section}.${path}`),
    ['home.title', 'about.pageTitle', 'identity.shortName'],
  );
});
