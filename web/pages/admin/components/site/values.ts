/** The place of a value inside a section: keys and indexes. */
export type Path = readonly string[];

/** Returns the value at `path`; `undefined` if there is none. */
export function valueAt(whole: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    whole,
  );
}

/** Returns a copy of `whole` with another value at `path`. */
export function withValueAt<Whole>(whole: Whole, [key, ...rest]: Path, value: unknown): Whole {
  if (key === undefined) return value as Whole;
  const copy: object = Array.isArray(whole) ? [...whole] : Object.assign({}, whole);
  Reflect.set(copy, key, withValueAt(valueAt(whole, [key]), rest, value));
  // An empty optional field has no value, so remove its key.
  if (value === undefined && rest.length === 0) Reflect.deleteProperty(copy, key);
  return copy as Whole;
}

export const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Joins several texts into the text of one field, and splits the text of the field again. */
export const linesText = {
  format: (texts: readonly string[], separator: string) => texts.join(separator),
  parse: (typed: string, separator: string): string[] =>
    splitAt(typed, separator)
      .map((line) => line.trim())
      .filter(Boolean),
};

/** Returns the first line of `typed` that differs from `before`; empty if there is none. */
export function editedLine(before: string, typed: string): string {
  const [lines, old] = [typed.split('\n'), before.split('\n')];
  return lines.find((line, index) => line !== old[index]) ?? '';
}

type Blocks = readonly (string | readonly string[])[];
const bullet = /^\s*[-*•–]\s+/;

/** Converts paragraphs and bulleted lists to the text of one field, and back. */
export const blocksText = {
  format: (blocks: Blocks) =>
    blocks
      .map((block) => (typeof block === 'string' ? block : block.map((item) => `- ${item}`).join('\n')))
      .join('\n\n'),
  parse: (typed: string): (string | string[])[] =>
    splitAt(typed, '\n\n').flatMap((part): (string | string[])[] => {
      const rows = part.split('\n').filter((row) => row.trim() !== '');
      if (rows.length === 0) return [];
      if (!rows.every((row) => bullet.test(row))) return [part.trim()];
      return [rows.map((row) => row.replace(bullet, '').trim())];
    }),
};

/** Splits at each line break, or at each empty line. */
const splitAt = (typed: string, separator: string): string[] =>
  separator === '\n' ? typed.split('\n') : typed.split(/\n[^\S\n]*(?:\n[^\S\n]*)+/);
