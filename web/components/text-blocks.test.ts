import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { textBlocks } from './text-blocks.ts';

/** Formats the blocks as short lines, with links in angle brackets. */
const outline = (text: string) =>
  textBlocks(text).map(
    ({ kind, lines }) =>
      `${kind}: ${lines.map((line) => line.map((piece) => (piece.link ? `<${piece.text}>` : piece.text)).join('')).join(' | ')}`,
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

test('a URL that could run a script does not become a link', () => {
  const hostile =
    'javascript:alert(1) data:text/html,x <script>alert(1)</script> https:// https://" onclick="x';
  assert.deepEqual(
    textBlocks(hostile).flatMap(({ lines }) => lines.flat().filter(({ link }) => link)),
    [],
  );
});

test('the blocks of a text contain all its words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const shown = textBlocks(text).flatMap(({ lines }) =>
        lines.map((line) => line.map((piece) => piece.text).join('')),
      );
      const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
      assert.equal(shown.length, lines.length);
      for (const [index, line] of lines.entries()) assert.ok(line.endsWith(shown[index] ?? '?'), line);
    }),
  );
});
