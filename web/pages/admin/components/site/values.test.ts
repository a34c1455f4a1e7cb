import assert from 'node:assert/strict';
import { test } from 'node:test';
import { texts } from '#clinic/texts.ts';
import { sectionNames } from '#contract/site/content.ts';
import { isSampleAlt } from '#contract/site/sample-values.ts';
import type { AnyGroup, AnyList } from './plans/plan.ts';
import { planOf } from './plans/plans.ts';
import {
  formatValues,
  showWhatsapp,
  tidyCrm,
  tidyLink,
  tidyPrice,
  tidyRqe,
  tidyWhatsapp,
} from './plans/tidy.ts';
import { fieldNames, samplePartsOf } from './sample-parts.ts';
import { sectionOrder } from './sections.ts';
import { changedUnits, labelAt, summaryOf, unitText } from './units.ts';
import { blocksText, editedLine, linesText, valueAt, withValueAt } from './values.ts';

test('a copy with another value leaves the original as it is', () => {
  const before = structuredClone(texts);
  const copy = withValueAt(texts, ['home', 'hero', 'lines', '1'], 'Outra frase');
  assert.deepEqual(texts, before);
  assert.equal(valueAt(copy, ['home', 'hero', 'lines', '1']), 'Outra frase');
  assert.ok(Array.isArray(valueAt(copy, ['home', 'hero', 'lines'])));
  assert.equal(valueAt(copy, ['home', 'hero', 'lines', '0']), texts.home.hero.lines[0]);
  const without = withValueAt(texts.home.hero.portrait, ['dark'], undefined);
  assert.ok(!('dark' in without));
});

test('paragraphs, lines and blocks are the same after they are formatted and parsed', () => {
  const paragraphs = texts.about.act.paragraphs;
  assert.deepEqual(linesText.parse(linesText.format(paragraphs, '\n\n'), '\n\n'), paragraphs);
  const { address } = texts.identity;
  assert.deepEqual(linesText.parse(linesText.format(address, '\n'), '\n'), address);
  for (const { blocks } of texts.privacy.sections)
    assert.deepEqual(blocksText.parse(blocksText.format(blocks)), blocks);
});

const typedBlocks: [typed: string, blocks: (string | string[])[]][] = [
  ['', []],
  ['  \n \n  ', []],
  ['Um\n\nDois', ['Um', 'Dois']],
  ['Um\n  \n\n\nDois\n', ['Um', 'Dois']],
  ['Uma\nlinha quebrada', ['Uma\nlinha quebrada']],
  ['Antes:\n\n- um\n- dois', ['Antes:', ['um', 'dois']]],
  ['• um\n\n* dois', [['um'], ['dois']]],
  ['Sem espaço -assim', ['Sem espaço -assim']],
];
for (const [typed, blocks] of typedBlocks)
  test(`${JSON.stringify(typed)} becomes ${JSON.stringify(blocks)}`, () =>
    assert.deepEqual(blocksText.parse(typed), blocks));

const tidyCases: [tidy: (typed: string) => string, typed: string, expected: string][] = [
  [tidyCrm, 'crm sp 123.456', 'CRM-SP 123456'],
  [tidyCrm, 'CRM/RJ 12345', 'CRM-RJ 12345'],
  [tidyCrm, 'mg-123456', 'CRM-MG 123456'],
  [tidyCrm, 'sem número', 'sem número'],
  [tidyRqe, '12.345', 'RQE 12345'],
  [tidyRqe, 'rqe nº 12345', 'RQE 12345'],
  [tidyRqe, '', ''],
  [tidyPrice, '550', 'R$ 550'],
  [tidyPrice, ' 1.550,00 ', 'R$ 1.550,00'],
  [tidyPrice, 'r$550,00', 'R$ 550,00'],
  ...['R$ 550', 'a combinar', 'de 300 a 550', '550.5', '1 hora', ''].map(
    (typed): (typeof tidyCases)[number] => [tidyPrice, typed, typed],
  ),
  [tidyWhatsapp, '(11) 91234-5678', '5511912345678'],
  [tidyWhatsapp, '+55 11 91234-5678', '5511912345678'],
  [tidyWhatsapp, '011 91234-5678', '5511912345678'],
  [tidyWhatsapp, '55 91234-5678', '5555912345678'],
  [tidyWhatsapp, 'não tenho', 'não tenho'],
  ...[
    '+55 (11) 91234\u20115678',
    '\u202a+55\u00a011\u00a091234–5678\u202c',
    '＋５５ １１ ９１２３４‐５６７８',
    '0055 11 91234.5678',
    '+55 (0) 11 91234 5678',
    '55 11 91234-5678',
    '(0xx11) 91234-5678',
    '(0**11) 91234-5678',
    '0 21 11 91234-5678',
    '11/91234-5678',
    'WhatsApp: (11) 91234-5678',
    'https://wa.me/5511912345678',
    'wa.me/5511912345678?text=Ol%C3%A1',
    'https://wa.me/+5511912345678/',
    'https://api.whatsapp.com/send?text=oi&phone=%2B55%2011%2091234-5678'.replaceAll('%20', ''),
    'https://api.whatsapp.com/send/?phone=5511912345678&type=phone_number',
    'tel:+55-11-91234-5678',
  ].map((typed): (typeof tidyCases)[number] => [tidyWhatsapp, typed, '5511912345678']),
  // These texts stay as they are, so that the field says what is missing.
  ...[
    '+55 99123-4567',
    '0055 99123-4567',
    '+351 912 345 678',
    '+1 212 555 1234',
    'https://wa.me/55991234567',
    '91234-5678',
  ].map((typed): (typeof tidyCases)[number] => [tidyWhatsapp, typed, typed]),
];
for (const [tidy, typed, expected] of tidyCases)
  test(`${tidy.name} turns "${typed}" into "${expected}"`, () => assert.equal(tidy(typed), expected));

test('a phone number is shown with spaces, and its field reads the same number again', () => {
  for (const [stored, shown] of [
    ['5511912345678', '+55 11 91234-5678'],
    ['551123456789', '+55 11 2345-6789'],
    ['5511', '5511'],
    ['não tenho', 'não tenho'],
  ] as const) {
    assert.equal(showWhatsapp(stored), shown);
    assert.equal(tidyWhatsapp(showWhatsapp(stored)), tidyWhatsapp(stored));
  }
});

test('the editor shows every section', () => {
  assert.deepEqual([...sectionOrder].sort(), [...sectionNames].sort());
});

test('a changed field is listed with the labels of its groups, and its text', () => {
  const plan = planOf('home');
  const changed = withValueAt(texts.home, ['hero', 'lead'], 'Outra apresentação');
  const units = changedUnits(plan, texts.home, changed);
  assert.deepEqual(
    units.map(({ label }) => label),
    ['Abertura, Apresentação'],
  );
  assert.equal(unitText(plan, changed, units[0] ?? { path: [], label: '' }), 'Outra apresentação');
});

test('a list is compared as a whole', () => {
  const plan = planOf('questions');
  const added = [...texts.questions, { question: 'Nova?', answer: ['Sim.', 'Ou não.'] }];
  const units = changedUnits(plan, texts.questions, added);
  assert.deepEqual(
    units.map(({ path, label }) => [path, label]),
    [[[], 'Perguntas']],
  );
  assert.match(unitText(plan, added, units[0] ?? { path: [], label: '' }), /Nova\?\nSim\.\n\nOu não\.$/);
});

test('in an item of a list, a switch is shown by its name, and only when it is on', () => {
  const plan = planOf('diary');
  const [words] = changedUnits(plan, texts.diary, { ...texts.diary, words: [] });
  const two = [
    { word: 'Alegria', heavy: false },
    { word: 'Vazio', heavy: true },
  ];
  assert.ok(words);
  assert.equal(unitText(plan, { ...texts.diary, words: two }, words), 'Alegria\n\nVazio\nPesa');
  const list = (plan as AnyGroup).fields.words as AnyList;
  assert.deepEqual(
    two.map((item) => summaryOf(list, item)),
    ['Alegria', 'Vazio · Pesa'],
  );
});

const labels: [section: (typeof sectionNames)[number], path: string, label: string][] = [
  ['identity', 'crm', 'CRM'],
  ['identity', 'specialties.0.rqe', 'Especialidades, especialidade 1, RQE'],
  ['home', 'hero.portrait.alt', 'Abertura, Retrato, Descrição da imagem'],
  ['questions', '2.answer', 'pergunta 3, Resposta'],
  ['questions', '', 'Perguntas'],
];
for (const [section, path, label] of labels)
  test(`${section} ${path} is called "${label}"`, () =>
    assert.equal(labelAt(planOf(section), path === '' ? [] : path.split('.')), label));

test('the edited line of a text is the first that differs', () => {
  assert.equal(editedLine('um\n\ndois', 'um\n\ndois!'), 'dois!');
  assert.equal(editedLine('um', 'um\ntrês'), 'três');
  assert.equal(editedLine('um\ndois', 'um'), '');
});

const links: [typed: string, network: string | undefined, expected: string][] = [
  ['instagram.com/ana', undefined, 'https://instagram.com/ana'],
  [' www.gov.br/saude?a=1#b ', undefined, 'https://www.gov.br/saude?a=1#b'],
  ['clínica.com.br', undefined, 'https://clínica.com.br'],
  ['wa.me/5511912345678', undefined, 'https://wa.me/5511912345678'],
  ['http://a.br/x', undefined, 'https://a.br/x'],
  ['//a.br', undefined, 'https://a.br'],
  ['HTTPS://a.br', undefined, 'https://a.br'],
  ['@ana.prado', 'Instagram', 'https://www.instagram.com/ana.prado'],
  ['@ana', 'YouTube', 'https://www.youtube.com/@ana'],
  ['@ana', 'LinkedIn', 'https://www.linkedin.com/in/ana'],
  [
    '<iframe width="560" src="https://www.youtube.com/embed/abcdefghijk?start=5" title="x"></iframe>',
    undefined,
    'https://www.youtube.com/watch?v=abcdefghijk&t=5',
  ],
  ...['@ana', '/practices', 'qualquer coisa', '', 'javascript:alert(1)', 'ana@exemplo.com.br'].map(
    (typed): [string, undefined, string] => [typed, undefined, typed],
  ),
];
for (const [typed, network, expected] of links)
  test(`the link ${JSON.stringify(typed)} becomes ${JSON.stringify(expected)}`, () =>
    assert.equal(tidyLink(typed, { network }), expected));

test('tidying a section formats its telephone, its registration numbers and prices, and changes nothing else', () => {
  const { identity } = texts;
  const typed = {
    ...identity,
    whatsapp: '(11) 91234-5678',
    specialties: [{ name: 'psiquiatra', rqe: '12.345' }],
  };
  assert.deepEqual(formatValues(planOf('identity'), typed), {
    ...identity,
    whatsapp: '5511912345678',
    specialties: [{ name: 'psiquiatra', rqe: 'RQE 12345' }],
  });
  const price = { name: 'Retorno', duration: '', price: '550' };
  const fees = { ...texts.home.fees, prices: [price] };
  assert.deepEqual(formatValues(planOf('home'), { ...texts.home, fees }), {
    ...texts.home,
    fees: { ...fees, prices: [{ ...price, price: 'R$ 550' }] },
  });
  for (const section of sectionNames)
    assert.deepEqual(formatValues(planOf(section), texts[section]), texts[section]);
});

test('what is still the sample among the questions is named by its words, and elsewhere by its labels', () => {
  const titles = (section: 'questions' | 'practices', content: unknown) =>
    samplePartsOf({ section, sample: texts[section] }, content, texts.arrangement).map(fieldNames);
  const own = { question: 'Onde fica?', answer: ['Aqui.'] };
  assert.deepEqual(titles('questions', [texts.questions[1], own, texts.questions[0]]), [
    `“${texts.questions[1]?.question}”, “${texts.questions[0]?.question}”`,
  ]);
  const { tips, ...rest } = texts.practices;
  const others = Object.fromEntries(Object.keys(rest).map((key) => [key, undefined]));
  assert.deepEqual(titles('practices', { ...others, tips }), ['As seis dicas']);
});

test('isSampleAlt recognizes the text alternatives of the sample pictures', () => {
  assert.ok(isSampleAlt(texts.home.hero.portrait.alt));
  assert.ok(isSampleAlt(texts.home.about.portrait.alt));
});

test('what is still the sample is grouped by part, with the first field and what a confirmation adds', () => {
  const { home, arrangement } = texts;
  const partsIn = (content: typeof home, confirmed: string[] = []) =>
    samplePartsOf({ section: 'home', sample: home }, content, { ...arrangement, confirmed });
  const [page, hero] = partsIn(home);
  assert.deepEqual([page?.label, page?.names], ['', ['home.title', 'home.description']]);
  assert.deepEqual([hero?.label, hero?.fields[0]], ['Abertura', ['hero', 'lines', '0']]);
  assert.match(hero ? fieldNames(hero) : '', /^As duas frases grandes, Apresentação, /);
  const written = { ...home, contact: { ...home.contact, title: 'Escreva' } };
  const labels = partsIn(written, ['home.steps']).map(({ label }) => label);
  assert.ok(!labels.includes('Contato') && !labels.includes('A primeira consulta'));
  const identity = { section: 'identity', sample: texts.identity } as const;
  const left = samplePartsOf(identity, texts.identity, { ...arrangement, confirmed: ['identity'] });
  assert.deepEqual(
    left.map(({ names }) => names),
    [[]],
  );
});
