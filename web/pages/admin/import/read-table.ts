import Papa from 'papaparse';
import { foldForSearch } from '#contract/text.ts';
import { wholeNumber } from '#web/components/whole-number.ts';
import { importMaxBytes, tooLarge } from './decode-file.ts';

/** The maximum number of rows in one import. */
export const rowsMax = 200;

export const columns = ['title', 'content', 'url', 'axis', 'minutes'] as const;
export type Column = (typeof columns)[number];

/** A row as the user wrote it. Missing cells are empty strings. */
export type TableRow = Record<Column, string> & {
  /** The row's number in the table. As in spreadsheet programs, the first row has number 1. */
  line: number;
  /** Why the row could not be split into cells; empty if it could. */
  problem: string;
};

/** The rows of a table. */
export type Table = {
  rows: TableRow[];
  /** The headings that name no known column. */
  unused: string[];
  /** True if a quotation mark is not closed: the cells of other rows may then be wrong, too. */
  misread: boolean;
};

/** The headings that are accepted for each column, as `headingKey` writes them. */
const headings: Record<Column, readonly string[]> = {
  title: ['titulo', 'titulo da pratica', 'nome', 'nome da pratica', 'pratica'],
  content: ['texto', 'texto da pratica', 'conteudo', 'descricao', 'instrucoes'],
  url: ['link', 'link do video', 'video', 'youtube', 'url', 'endereco'],
  axis: ['eixo', 'categoria'],
  minutes: ['minutos', 'min', 'duracao', 'duracao em minutos', 'tempo'],
};

/** Removes accents, case, text in parentheses, and signs such as the asterisk of required columns. */
const headingKey = (heading: string) =>
  foldForSearch(heading)
    .replace(/\([^()]*\)/g, ' ')
    .replace(/[^a-z]+/g, ' ')
    .trim();

/**
 * Reads a table that was copied from a spreadsheet or exported as CSV. The first row may name the columns.
 * Otherwise the columns are title and text.
 */
export function readTable(text: string): Table | { problem: string } {
  if (new TextEncoder().encode(text).length > importMaxBytes) return { problem: tooLarge };
  const { records, wrongQuotes } = splitText(text);
  const filled = records
    .map((cells, index) => ({ cells: withoutEmptyEnd(cells), index }))
    .filter(({ cells }) => cells.length > 0);
  const [first, ...rest] = filled;
  if (!first) return { problem: 'A tabela está vazia.' };

  const named = isHeader(first.cells);
  const places = placesOf(first.cells);
  if ('problem' in places) return places;
  const written = named ? rest : filled;
  if (written.length === 0) return { problem: 'A tabela só tem os nomes das colunas.' };
  if (written.length > rowsMax)
    return {
      problem: `A tabela tem ${wholeNumber(written.length)} linhas. O máximo é ${rowsMax} de cada vez.`,
    };

  const width = named ? first.cells.length : 2;
  const isOneColumn = filled.every(({ cells }) => cells.length === 1);
  const rows = written.map(({ cells, index }): TableRow => {
    const cellOf = (column: Column) => cells[places[column] ?? -1] ?? '';
    return {
      line: index + 1,
      title: cellOf('title').trim(),
      content: trimLines(cellOf('content')),
      url: cellOf('url').trim(),
      axis: cellOf('axis').trim(),
      minutes: cellOf('minutes').trim(),
      problem: problemOf(cells, { isWrong: wrongQuotes.has(index), width, named, isOneColumn }),
    };
  });
  const unused = named ? first.cells.filter((cell) => cell.trim() !== '' && !columnOf(cell)) : [];
  return { rows, unused, misread: wrongQuotes.size > 0 };
}

/** Returns the text of a table that `readTable` can read, with another text in one cell. */
export function withCell(text: string, { line, column }: { line: number; column: Column }, cell: string) {
  const { records } = splitText(text);
  const places = placesOf(firstFilled(records));
  const place = 'problem' in places ? undefined : places[column];
  const row = records[line - 1];
  if (row && place !== undefined) {
    while (row.length < place) row.push('');
    row[place] = cell;
  }
  return textOf(records);
}

/** Returns the text of a table that `readTable` can read, with only its header and these rows. */
export function withRows(text: string, lines: readonly number[]): string {
  const { records } = splitText(text);
  const first = firstFilled(records);
  const rows = records.filter((_, index) => lines.includes(index + 1));
  return textOf(isHeader(first) ? [first, ...rows] : rows);
}

/** Writes cells as spreadsheet programs copy them. All rows get one width, so `readTable` finds the tabs. */
function textOf(records: string[][]): string {
  const width = Math.max(...records.map(({ length }) => length));
  const cells = records.map((row) => [...row, ...Array<string>(width - row.length).fill('')]);
  return Papa.unparse(cells, { delimiter: '\t', newline: '\n' });
}

/** Removes spaces at the ends of lines, and empty lines at the end. */
export const trimLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();

type Cells = { records: string[][]; wrongQuotes: ReadonlySet<number> };

function splitText(text: string): Cells {
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  // Excel writes the delimiter into a first line, and does not count this line.
  const [line = '', delimiter] = /^"?sep=([^\n"])"?\n/i.exec(lines) ?? [];
  return splitCells(lines.slice(line.length), delimiter);
}

const firstFilled = (records: string[][]) => records.find((cells) => withoutEmptyEnd(cells).length > 0) ?? [];

/** Splits the table at the delimiter that the file names, or that fits best: tab, semicolon or comma. */
function splitCells(text: string, named: string | undefined): Cells {
  const candidates = (named ? [named] : ['\t', ';', ',']).map((delimiter): Cells => {
    const { data, errors } = Papa.parse(text, { delimiter, newline: '\n' });
    return { records: data, wrongQuotes: new Set(errors.flatMap(({ row }) => row ?? [])) };
  });
  const firstOf = ({ records }: Cells) => firstFilled(records);
  const splits = candidates.filter((one) => firstOf(one).length > 1);
  const isRegular = ({ records, wrongQuotes }: Cells) => {
    const widths = records.filter((cells) => withoutEmptyEnd(cells).length > 0).map(({ length }) => length);
    return wrongQuotes.size === 0 && new Set(widths).size === 1;
  };
  return (
    candidates.find((one) => firstOf(one).length === 0) ??
    splits.find((one) => isHeader(firstOf(one))) ??
    splits.find(isRegular) ??
    splits[0] ??
    (candidates[0] as Cells)
  );
}

const columnOf = (heading: string) =>
  columns.find((column) => headings[column].includes(headingKey(heading)));

/** True if a row contains at least two column names or the name "Título", or consists of one column name. */
function isHeader(cells: string[]): boolean {
  const known = cells.filter((cell) => columnOf(cell)).length;
  const hasTitle = cells.some((cell) => headingKey(cell) === 'titulo');
  return known > 1 || hasTitle || (known === 1 && withoutEmptyEnd(cells).length === 1);
}

/** Returns the index of each column, by the first row of a table. */
const placesOf = (first: string[]): Places | { problem: string } =>
  isHeader(first) ? columnsOf(first) : { title: 0, content: 1 };

type Places = Partial<Record<Column, number>>;

function columnsOf(cells: string[]): Places | { problem: string } {
  const places: Places = {};
  for (const [place, cell] of cells.entries()) {
    const column = columnOf(cell);
    if (column && column in places) return { problem: `A coluna ${cell.trim()} aparece duas vezes.` };
    if (column) places[column] = place;
  }
  if (places.title === undefined) return { problem: 'Falta a coluna Título.' };
  if (places.content === undefined) return { problem: 'Falta a coluna Texto.' };
  return places;
}

function problemOf(
  cells: string[],
  {
    isWrong,
    width,
    named,
    isOneColumn,
  }: { isWrong: boolean; width: number; named: boolean; isOneColumn: boolean },
): string {
  if (isWrong)
    return 'As aspas desta linha não fecham. Dentro de um texto entre aspas, escreva cada aspa duas vezes.';
  const [first = '', ...others] = cells;
  // A comma is usual in a title, but not in the only column of a table.
  if (others.length === 0 && (/[;\t]/.test(first) || (isOneColumn && first.includes(','))))
    return 'A linha inteira está em uma célula. Na planilha, separe o título e o texto em duas colunas.';
  if (cells.length <= width) return '';
  return named
    ? 'Há mais células que colunas. Um texto com vírgula ou ponto e vírgula precisa ficar entre aspas.'
    : 'Há mais de duas células. Dê nome às colunas na primeira linha, ou ponha o texto entre aspas.';
}

function withoutEmptyEnd(cells: string[]): string[] {
  let end = cells.length;
  while (end > 0 && cells[end - 1]?.trim() === '') end -= 1;
  return cells.slice(0, end);
}
