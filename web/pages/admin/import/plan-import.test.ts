import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Activity } from '#contract/activity.ts';
import { activity as activitySchema } from '#contract/activity.ts';
import { axisNamed, type Lists, planImport } from './plan-import.ts';
import { readTable, withCell, withRows } from './read-table.ts';

const origin = 'https://clinica.exemplo.com.br';

const stored = (id: string, title: string, more: Partial<Activity> = {}) => {
  const url = 'https://youtu.be/aBcDeFgHiJ0';
  const times = { createdAt: 1, updatedAt: 1 };
  const fields = { id, axis: 'mind', title, url, content: `De ${title}.`, minutes: 3, ...times };
  return activitySchema.parse({ ...fields, ...more });
};

const mind = [stored('a', 'Respirar'), stored('b', 'Ouvir'), stored('c', 'Sentir', { visibility: 'hidden' })];
const lists: Lists = {
  mindActsList: { activities: mind, tag: '"7"' },
  moveActsList: { activities: [], tag: '"1"' },
  nutriActsList: { activities: [], tag: '"1"' },
  valuesActsList: { activities: [], tag: '"2"' },
};

function plan(text: string, options: Partial<Parameters<typeof planImport>[1]> = {}) {
  const table = readTable(text);
  if ('problem' in table) throw new Error(table.problem);
  return planImport(table, { axis: 'mind', visibility: 'public', origin, lists, ...options });
}
const reasonOf = (text: string, options = {}) => {
  const row = plan(text, options).rows.find(({ kind }) => kind === 'problem');
  return row?.kind === 'problem' ? `${row.line}: ${row.reason}` : undefined;
};

test('new practices come first, in their order, with their own page as link', () => {
  const { rows, writes } = plan('Andar\tDevagar.\nParar\tAgora.', { visibility: 'hidden' });
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['new', 'new'],
  );
  const [write] = writes;
  assert.equal(write?.tag, '"7"');
  const [andar, parar, ...rest] = write?.activities ?? [];
  assert.deepEqual(rest, mind);
  assert.deepEqual([andar?.title, parar?.title, parar?.content], ['Andar', 'Parar', 'Agora.']);
  for (const one of [andar, parar]) {
    assert.deepEqual(activitySchema.parse(one), one);
    assert.equal(one?.url, `${origin}/practices/${one?.id}`);
    assert.equal(one?.visibility, 'hidden');
  }
  assert.notEqual(andar?.id, parar?.id);
});

test('a row with the title of a practice changes only what the row says', () => {
  const { rows, writes } = plan('respiração\tx\nOUVIR\tO mar.\nsentir\tDe Sentir.', { visibility: 'hidden' });
  assert.deepEqual(
    rows.map((row) => (row.kind === 'changed' ? row.changes : row.kind)),
    ['new', ['title', 'content'], ['title']],
  );
  const [, ouvir, sentir, respirar] = writes[0]?.activities ?? [];
  assert.deepEqual(ouvir, { ...mind[1], title: 'OUVIR', content: 'O mar.' });
  assert.deepEqual(sentir, { ...mind[2], title: 'sentir' });
  assert.deepEqual(respirar, mind[0]);
});

test('link, minutes and axis change where their cells are not empty', () => {
  const { rows, writes } = plan(
    'Título;Texto;Link;Minutos;Eixo\nOuvir;De Ouvir.;https://a.br/b;8;\nRespirar;De Respirar.;;;Mente\nAndar;Já.;https://a.br/c;2;mind',
  );
  assert.deepEqual(
    rows.map((row) => (row.kind === 'changed' ? row.changes : row.kind)),
    [['url', 'minutes'], 'same', 'new'],
  );
  const [ouvir, respirar, andar] = writes[0]?.activities ?? [];
  assert.deepEqual(ouvir, { ...mind[1], url: 'https://a.br/b', minutes: 8 });
  assert.deepEqual(respirar, mind[0]);
  assert.deepEqual([andar?.url, andar?.minutes], ['https://a.br/c', 2]);
});

test('the same texts in the same order write nothing, in another order the whole list', () => {
  const same = mind.map(({ title, content }) => `${title}\t${content}  `);
  assert.deepEqual(plan(same.join('\n')).writes, []);
  const { rows, writes } = plan([...same].reverse().join('\n'));
  assert.deepEqual(new Set(rows.map(({ kind }) => kind)), new Set(['same']));
  assert.deepEqual(writes[0]?.activities, [...mind].reverse());
  assert.deepEqual(
    plan(`${same[1]}`).writes[0]?.activities.map(({ id }) => id),
    ['b', 'a', 'c'],
  );
});

test('rows of several axes are one write for each list', () => {
  const values = [stored('f', 'Jantar', { axis: 'fun' })];
  const text = 'Título;Texto;Eixo\nAndar;Já.;Movimento\nJantar;Juntos.;\nLigar;Hoje.;Família';
  const { writes } = plan(text, {
    axis: 'career',
    lists: { ...lists, valuesActsList: { activities: values, tag: '"2"' } },
  });
  assert.deepEqual(
    writes.map(({ list, tag, activities }) => [
      list,
      tag,
      activities.map(({ title, axis }) => `${title} ${axis}`),
    ]),
    [
      ['moveActsList', '"1"', ['Andar move']],
      // A row without an axis does not change the axis of the practice.
      ['valuesActsList', '"2"', ['Jantar fun', 'Ligar family']],
    ],
  );
});

test('a title is the same with every apostrophe, dash and quotation mark', () => {
  const known = [stored('a', 'Copo d’água'), stored('b', 'Bem–estar'), stored('c', '“Ouvir” o mar…')];
  const text = ["Copo d'água\tx", 'Copo d´Água\ty', 'Bem-estar\tz', 'Ouvir "o mar..."\tw'].join('\n');
  const { rows } = plan(text.replace('Ouvir "o mar..."', '"""Ouvir"" o mar..."'), {
    lists: { ...lists, mindActsList: { activities: known, tag: '"1"' } },
  });
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['changed', 'problem', 'changed', 'changed'],
  );
});

test('rows with a problem stay in the table while the others are written', () => {
  const text =
    'Texto;Eixo;Título;Minutos\nJá, e devagar.;;Andar;3\nSem nome.;Sono;;\n"Duas\nlinhas";;Parar;cinco';
  const { writes } = plan(text);
  assert.deepEqual(
    writes.map(({ activities }) => activities.map(({ title }) => title)),
    [['Andar', ...mind.map(({ title }) => title)]],
  );
  const left = withRows(text, [3, 4]);
  assert.deepEqual(plan(left).writes, []);
  assert.equal(reasonOf(left), '2: Nenhum eixo se chama “Sono”.');
  const withAxis = withCell(left, { line: 2, column: 'axis' }, 'Mente');
  assert.equal(reasonOf(withAxis), '2: Falta o título.');
  const withTitle = withCell(withAxis, { line: 2, column: 'title' }, 'Andar; e "ouvir"');
  const whole = withCell(withTitle, { line: 3, column: 'minutes' }, '5');
  assert.deepEqual(
    plan(whole)
      .writes[0]?.activities.slice(0, 2)
      .map(({ title, content, minutes }) => [title, content, minutes]),
    [
      ['Andar; e "ouvir"', 'Sem nome.', null],
      ['Parar', 'Duas\nlinhas', 5],
    ],
  );
  // Without a header, a row with one cell gets its second one.
  assert.equal(reasonOf(withCell('Andar', { line: 1, column: 'content' }, 'Já.')), undefined);
  // An open quotation mark can swallow other rows.
  assert.deepEqual(plan('Andar\tJá.\n"Parar\tAgora.').writes, []);
});

test('a row with a problem says why', () => {
  assert.equal(reasonOf('Andar\tJá.\n ANDAR \tDe novo.'), '2: O mesmo título está na linha 1.');
  assert.equal(reasonOf('Andar\tJá.\n\tSem nome.'), '2: Falta o título.');
  assert.equal(reasonOf('Título;Texto\nAndar;'), '2: Falta o texto.');
  assert.equal(reasonOf('Título;Texto;Eixo\nA;b;Sono'), '2: Nenhum eixo se chama “Sono”.');
  assert.match(reasonOf('Título;Texto;Link\nA;b;youtube') ?? '', /^2: Link do vídeo: Use um link/);
  assert.match(
    reasonOf('Título;Texto;Minutos\nA;b;cinco') ?? '',
    /^2: Duração em minutos: Escreva os minutos/,
  );
  assert.match(reasonOf('A\tum\u0007dois') ?? '', /^1: Texto: Há caracteres/);
  assert.match(reasonOf(`${'T'.repeat(201)}\tb`) ?? '', /^1: Título: O título pode ter no máximo/);
  const twins = [stored('x', 'Ouvir'), stored('y', 'ouvir')];
  assert.match(
    reasonOf('Ouvir\tOi.', { lists: { ...lists, mindActsList: { activities: twins, tag: '"1"' } } }) ?? '',
    /^1: Duas práticas da lista têm este título/,
  );
});

test('axisNamed finds an axis by its names for visitors and for admins, with or without accents', () => {
  assert.deepEqual(
    ['Mente', 'mind', 'ALIMENTACAO', 'Nutri · Alimentação', 'família', 'Values · Valores', 'outro', ''].map(
      axisNamed,
    ),
    ['mind', 'mind', 'nutri', 'nutri', 'family', 'values', undefined, undefined],
  );
});

test('each row says whether its practice has a video', () => {
  const embed = '<iframe src=https://www.youtube.com/embed/aBcDeFgHiJ0></iframe>';
  const { rows } = plan(`Título;Texto;Link\nA;b;${embed}\nB;c;https://a.br/x\nC;d;\nOuvir;e;`);
  assert.deepEqual(
    rows.map((row) => row.kind !== 'problem' && row.video),
    ['video', 'otherLink', 'none', 'video'],
  );
});
