import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { textBlocks } from './text-blocks.ts';

/** Formats the blocks as short lines, with links in angle brackets. */
const outline = (text: string) =>
  textBlocks(text).map(
    ({ kind, lines }) =>
      `${kind}: ${lines.map((line) => line.map((piece) => (piece.href ? `<${piece.text}>` : piece.text)).join('')).join(' | ')}`,
  );

test('empty lines separate paragraphs; single line breaks stay inside them', () => {
  assert.deepEqual(outline('Um\ndois.\n\n \n\nTrês.\r\n\r\nQuatro.'), [
    'paragraph: Um | dois.',
    'paragraph: Três.',
    'paragraph: Quatro.',
  ]);
});

test('lines that begin with a bullet or a number are lists, also directly after a paragraph', () => {
  assert.deepEqual(outline('Leve:\n- água\n* pão\n• calma\n\n3. Sente\n4) Respire\nE fique.'), [
    'paragraph: Leve:',
    'bullets: água | pão | calma',
    'numbers: Sente | Respire',
    'paragraph: E fique.',
  ]);
  assert.equal(textBlocks('3. Sente')[0]?.start, 3);
});

test('a dash or a number inside a line does not start a list', () => {
  assert.deepEqual(outline('-5 graus\n2,5 km\n1988. '), ['paragraph: -5 graus | 2,5 km | 1988. ']);
});

test('URLs become links, without the punctuation that follows them', () => {
  assert.deepEqual(outline('Veja https://cvv.org.br. Ou (https://a.br/x_(y)), “http://b.br/?q=1”!'), [
    'paragraph: Veja <https://cvv.org.br>. Ou (<https://a.br/x_(y)>), “<http://b.br/?q=1>”!',
  ]);
});

test('words can be bold, in italics and links', () => {
  const pieces = (text: string) => textBlocks(text).flatMap(({ lines }) => lines.flat());
  assert.deepEqual(pieces('Note **o ar**, _sem pressa_: [o CVV](https://cvv.org.br/) ajuda.'), [
    { text: 'Note ' },
    { text: 'o ar', strong: true },
    { text: ', ' },
    { text: 'sem pressa', em: true },
    { text: ': ' },
    { text: 'o CVV', href: 'https://cvv.org.br/' },
    { text: ' ajuda.' },
  ]);
  assert.deepEqual(pieces('**Leia https://a.br/_x_ e _volte_**'), [
    { text: 'Leia ', strong: true },
    { text: 'https://a.br/_x', href: 'https://a.br/_x', strong: true },
    { text: '_ e ', strong: true },
    { text: 'volte', strong: true, em: true },
  ]);
});

test('texts from before the marks look as before', () => {
  for (const text of [
    '2 * 3 * 4, 2**3**4 ** e **',
    'nome_do_arquivo_aqui, _ e __ e ___',
    '[colchetes] (e parênteses), [x](javascript:alert(1)), [y](/practices)',
    'Assine: ____________ * obrigatório',
  ])
    assert.deepEqual(outline(text), [`paragraph: ${text}`]);
});

test('a URL that could run a script does not become a link', () => {
  const hostile =
    'javascript:alert(1) data:text/html,x <script>alert(1)</script> https:// https://" onclick="x';
  assert.deepEqual(
    textBlocks(hostile).flatMap(({ lines }) => lines.flat().filter(({ href }) => href)),
    [],
  );
});

test('the blocks of a text contain all its words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      fc.pre(!/[*_[]/.test(text));
      const shown = textBlocks(text).flatMap(({ lines }) =>
        lines.map((line) => line.map((piece) => piece.text).join('')),
      );
      const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
      assert.equal(shown.length, lines.length);
      for (const [index, line] of lines.entries()) assert.ok(line.endsWith(shown[index] ?? '?'), line);
    }),
  );
});
