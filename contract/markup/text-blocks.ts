import { parseUrl } from '../parse-url.ts';
import { inlineMarks } from './text-marks.ts';

/** A piece of a text: words, or a link to `href`, perhaps bold (`strong`) or in italics (`em`). */
export type TextPiece = { text: string; href?: string; strong?: true; em?: true };

/** A paragraph or a list, with the pieces of each line. */
export type TextBlock = { kind: 'paragraph' | 'bullets' | 'numbers'; lines: TextPiece[][]; start?: number };

const bullet = /^\s*[-*•–]\s+(?=\S)/;
const number = /^\s*(\d{1,3})[.)]\s+(?=\S)/;

/**
 * Parses plain text. Empty lines separate paragraphs. Lines that begin with `-`, `*`, `•`, `–`, `1.` or `1)`
 * are lists. `inlineMarks` are links, bold words and italics. There is no other syntax, so the text cannot
 * contain HTML.
 */
export function textBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let open: TextBlock | undefined;
  for (const line of text.split(/\r\n?|\n/)) {
    if (line.trim() === '') {
      open = undefined;
      continue;
    }
    const kind = kindOf(line);
    if (open?.kind !== kind) {
      open = { kind, lines: [] };
      if (kind === 'numbers') open.start = Number(number.exec(line)?.[1]);
      blocks.push(open);
    }
    open.lines.push(
      piecesOf(kind === 'paragraph' ? line : line.replace(kind === 'bullets' ? bullet : number, '')),
    );
  }
  return blocks;
}

const kindOf = (line: string) =>
  bullet.test(line) ? 'bullets' : number.test(line) ? 'numbers' : 'paragraph';

/** Characters that do not belong to a URL if it ends with them, for example the full stop of a sentence. */
const closing = new Set(".,;:!?'’…])}*_");

/**
 * Splits one line into words, links and emphasised words. A `)` after a URL belongs to the URL if the URL
 * contains the `(`.
 */
function piecesOf(line: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { 0: found, 1: url, 2: words, 3: link, 4: bold, 5: italics, index } of line.matchAll(
    inlineMarks,
  )) {
    const href = link ?? (url && withoutPunctuation(url));
    if (href && !parseUrl(href)?.hostname) continue;
    if (index > end) pieces.push({ text: line.slice(end, index) });
    end = index + (url && href ? href.length : found.length);
    if (href) pieces.push({ text: words ?? href, href });
    else
      for (const piece of piecesOf(bold ?? italics ?? ''))
        pieces.push({ ...piece, ...(bold ? { strong: true } : { em: true }) });
  }
  if (end < line.length) pieces.push({ text: line.slice(end) });
  return pieces;
}

function withoutPunctuation(found: string): string {
  let end = found.length;
  while (closing.has(found.charAt(end - 1))) end -= 1;
  const [bare, tail] = [found.slice(0, end), found.slice(end)];
  const opened = bare.split('(').length > bare.split(')').length;
  return opened && tail.startsWith(')') ? `${bare})` : bare;
}
