import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeFile, importMaxBytes, sampleOf } from './decode-file.ts';
import { readTable, rowsMax } from './read-table.ts';

/** Reads a table that has no problem, and returns its rows. */
function rowsOf(text: string) {
  const table = readTable(text);
  if ('problem' in table) throw new Error(table.problem);
  return table.rows;
}
const pairs = (text: string) => rowsOf(text).map(({ title, content }) => [title, content]);
const problemOf = (text: string) => {
  const table = readTable(text);
  return 'problem' in table ? table.problem : table.rows.map(({ problem }) => problem).find(Boolean);
};

describe('a table', () => {
  const expected = [
    ['Ouvir', 'Feche os olhos.'],
    ['Andar', 'Conte, devagar; até dez.'],
  ];
  for (const [name, text] of [
    ['tabs', 'Ouvir\tFeche os olhos.\nAndar\tConte, devagar; até dez.'],
    ['semicolons', 'Ouvir;Feche os olhos.\nAndar;"Conte, devagar; até dez."'],
    ['commas', 'Ouvir,Feche os olhos.\nAndar,"Conte, devagar; até dez."'],
    [
      'Windows line ends and a line end at the end',
      'Ouvir;Feche os olhos.\r\nAndar;"Conte, devagar; até dez."\r\n',
    ],
    ['old Mac line ends', 'Ouvir\tFeche os olhos.\rAndar\tConte, devagar; até dez.'],
    ['a byte order mark', '\uFEFFOuvir\tFeche os olhos.\nAndar\tConte, devagar; até dez.'],
    ['empty columns at the end', 'Ouvir;Feche os olhos.;;\nAndar;"Conte, devagar; até dez.";;'],
    ['a header', 'Título;Texto\nOuvir;Feche os olhos.\nAndar;"Conte, devagar; até dez."'],
    [
      'a header in capitals without accents',
      'TITULO,CONTEUDO\nOuvir,Feche os olhos.\nAndar,"Conte, devagar; até dez."',
    ],
    [
      'a header in another order',
      ' conteúdo \tTítulo\nFeche os olhos.\tOuvir\nConte, devagar; até dez.\tAndar',
    ],
    ['the delimiter in a first line', 'sep=|\r\nOuvir|Feche os olhos.\r\nAndar|Conte, devagar; até dez.'],
    ['a quoted delimiter line', '"SEP=,"\nOuvir,Feche os olhos.\nAndar,"Conte, devagar; até dez."'],
    ['signs in the header', 'Título:;Texto*\nOuvir;Feche os olhos.\nAndar;"Conte, devagar; até dez."'],
    ['other names', 'Nome,Descrição (obrigatória)\nOuvir,Feche os olhos.\nAndar,"Conte, devagar; até dez."'],
    ['spaces around titles', ' Ouvir \tFeche os olhos.  \n Andar\tConte, devagar; até dez.'],
  ] as const)
    test(`with ${name} is read`, () => assert.deepEqual(pairs(text), expected));

  test('keeps line breaks, separators and quotes inside quotes, but no spaces at the ends of lines', () => {
    const [row] = rowsOf('Título;Texto\r\n"Ouvir ""o"" mar";"Um  \r\n\r\n- dois; três, ""quatro""\r\n"\r\n');
    assert.equal(row?.title, 'Ouvir "o" mar');
    assert.equal(row?.content, 'Um\n\n- dois; três, "quatro"');
  });

  test('keeps formulas and numbers as text', () => {
    const rows = pairs('Título\tTexto\n=SOMA(A1)\t=HYPERLINK("x")\n-1+2\t@casa\n007\t1,50');
    assert.deepEqual(rows, [
      ['=SOMA(A1)', '=HYPERLINK("x")'],
      ['-1+2', '@casa'],
      ['007', '1,50'],
    ]);
  });

  test('counts its lines like a spreadsheet: with the header, empty lines and texts of several lines', () => {
    const rows = rowsOf('Título;Texto\n\nA;"um\ndois"\n;\nB;três\n');
    assert.deepEqual(
      rows.map(({ line, title }) => [line, title]),
      [
        [3, 'A'],
        [5, 'B'],
      ],
    );
  });

  test('has all five columns in any order, and names those that it does not use', () => {
    const table = readTable('Minutos;Eixo;Autora;Link;Texto;Título\n5;Mente;Helena;https://a.br;Oi.;A');
    assert.ok('rows' in table);
    assert.deepEqual(table.unused, ['Autora']);
    assert.deepEqual(table.rows, [
      { line: 2, title: 'A', content: 'Oi.', url: 'https://a.br', axis: 'Mente', minutes: '5', problem: '' },
    ]);
  });

  test('without a header can have a title like the name of a column', () => {
    assert.deepEqual(pairs('Vídeo\tVeja.\nOuvir\tFeche.'), [
      ['Vídeo', 'Veja.'],
      ['Ouvir', 'Feche.'],
    ]);
  });

  test('with a missing or repeated column is refused', () => {
    assert.equal(problemOf('Título;Link\nA;https://a.br'), 'Falta a coluna Texto.');
    assert.equal(problemOf('Texto;Eixo\nOi.;Mente'), 'Falta a coluna Título.');
    assert.equal(problemOf('Título;Observações\nA;b'), 'Falta a coluna Texto.');
    assert.equal(problemOf('Título;Texto;Conteúdo\nA;b;c'), 'A coluna Conteúdo aparece duas vezes.');
  });

  test('that is empty, only a header, too long or too large is refused', () => {
    assert.equal(problemOf(' \n\t\n'), 'A tabela está vazia.');
    assert.equal(problemOf(';;\n;;'), 'A tabela está vazia.');
    assert.equal(problemOf('Título;Texto\n\n'), 'A tabela só tem os nomes das colunas.');
    const rows = (count: number) => Array.from({ length: count }, (_, n) => `T${n}\tTexto ${n}`).join('\n');
    assert.equal(rowsOf(`Título\tTexto\n${rows(rowsMax)}\n\n`).length, rowsMax);
    assert.equal(problemOf(rows(rowsMax + 1)), 'A tabela tem 201 linhas. O máximo é 200 de cada vez.');
    assert.match(problemOf(`A\t${'á'.repeat(importMaxBytes / 2)}`) ?? '', /mais de 1 MB/);
  });

  test('says which row has quotes that do not close, or too many cells', () => {
    const quotes = rowsOf('Título;Texto\nA;b\nC;"d "e" f"\nG;h');
    assert.deepEqual(
      quotes.map(({ line, problem }) => [line, problem !== '']),
      [
        [2, false],
        [3, true],
        [4, false],
      ],
    );
    assert.match(problemOf('Título;Texto\nA;"b') ?? '', /aspas/);
    assert.match(problemOf('Título,Texto\nA,Um, dois') ?? '', /mais células que colunas/);
    assert.match(problemOf('A\tb\tc\nD\te\tf') ?? '', /mais de duas células/);
  });
});

test('a line that is in one cell has a hint, a title with a comma has none', () => {
  for (const text of ['"Ouvir;Feche os olhos."', '"Ouvir,Feche."\n"Andar,Conte."', 'Título\tTexto\n"A;b"\t'])
    assert.match(problemOf(text) ?? '', /^A linha inteira está em uma célula/, text);
  assert.equal(problemOf('Título;Texto\nOuvir, devagar;'), undefined);
});

describe('a file', () => {
  const text = 'Título;Texto\r\nRespiração;“Atenção” — já';
  const windows1252 = Uint8Array.from(
    [...text].map((letter) => ({ '“': 0x93, '”': 0x94, '—': 0x97 })[letter] ?? letter.charCodeAt(0)),
  );
  const utf16 = new Uint8Array(Uint16Array.from([...`\uFEFF${text}`].map((one) => one.charCodeAt(0))).buffer);
  const bigEndian = Uint8Array.from(utf16, (_, place) => utf16[place ^ 1] ?? 0);
  for (const [name, bytes] of [
    ['UTF-8', new TextEncoder().encode(text)],
    ['UTF-8 with a byte order mark', new TextEncoder().encode(`\uFEFF${text}`)],
    ['Windows-1252', windows1252],
    ['little-endian UTF-16', utf16],
    ['big-endian UTF-16', bigEndian],
  ] as const)
    test(`in ${name} is read`, () => assert.deepEqual(decodeFile(bytes), { text }));

  const excelText = 'Título;Texto\rRespiração;Não há órgão, só você';
  for (const [name, ownLetters] of [
    ['Mac Roman', { í: 0x92, ç: 0x8d, ã: 0x8b, á: 0x87, ó: 0x97, ê: 0x90 }],
    ['code page 850', { í: 0xa1, ç: 0x87, ã: 0xc6, á: 0xa0, ó: 0xa2, ê: 0x88 }],
  ] as const) {
    const letters: Record<string, number> = ownLetters;
    const encode = (text: string) =>
      Uint8Array.from([...text].map((letter) => letters[letter] ?? letter.charCodeAt(0)));
    test(`in ${name} is read`, () => assert.deepEqual(decodeFile(encode(excelText)), { text: excelText }));
  }

  test('with few accents asks which text is right', () => {
    const read = decodeFile(
      Uint8Array.from([...'F#sica;Ouvir'].map((one) => (one === '#' ? 0x92 : one.charCodeAt(0)))),
    );
    assert.deepEqual('choices' in read && read.choices.map(sampleOf), ['F’sica', 'Física']);
  });

  test('that is an Excel workbook or too large is refused with a message that helps', () => {
    assert.match(JSON.stringify(decodeFile(Uint8Array.of(0x50, 0x4b, 3, 4, 0))), /salve a planilha como CSV/);
    assert.match(JSON.stringify(decodeFile(new Uint8Array(importMaxBytes + 1))), /mais de 1 MB/);
    assert.deepEqual(decodeFile(new Uint8Array(importMaxBytes).fill(0x61)), {
      text: 'a'.repeat(importMaxBytes),
    });
  });
});
