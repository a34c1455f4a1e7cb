import { parseUrl } from '#contract/parse-url.ts';

/** A piece of a text: words, or a link. */
export type TextPiece = { text: string; link: boolean };

/** A paragraph or a list, with the pieces of each line. */
export type TextBlock = { kind: 'paragraph' | 'bullets' | 'numbers'; lines: TextPiece[][]; start?: number };

const bullet = /^\s*[-*•–]\s+(?=\S)/;
const number = /^\s*(\d{1,3})[.)]\s+(?=\S)/;

/**
 * Parses plain text. Empty lines separate paragraphs. Lines that begin with `-`, `*`, `•`, `–`, `1.` or `1)`
 * are lists. URLs are links. There is no other syntax, so the text cannot contain HTML.
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

const urls = /https?:\/\/[^\s<>"“”]+/gi;
/** Characters that do not belong to a URL if it ends with them, for example the full stop of a sentence. */
const closing = new Set(".,;:!?'’…])}*_");

/**
 * Splits one line into words and links. A `)` after a URL belongs to the URL if the URL contains the `(`.
 */
function piecesOf(line: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { 0: found, index } of line.matchAll(urls)) {
    const link = withoutPunctuation(found);
    if (!parseUrl(link)?.hostname) continue;
    if (index > end) pieces.push({ text: line.slice(end, index), link: false });
    pieces.push({ text: link, link: true });
    end = index + link.length;
  }
  if (end < line.length) pieces.push({ text: line.slice(end), link: false });
  return pieces;
}

function withoutPunctuation(found: string): string {
  let end = found.length;
  while (closing.has(found.charAt(end - 1))) end -= 1;
  const [bare, tail] = [found.slice(0, end), found.slice(end)];
  const opened = bare.split('(').length > bare.split(')').length;
  return opened && tail.startsWith(')') ? `${bare})` : bare;
}
