import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';

const root = path.join(import.meta.dirname, '..');

export type Pattern = { place: string; source: string; flags: string };

/** Returns every regular expression of the product, with its file and line. */
export function findPatterns(): Pattern[] {
  return globSync('{server,contract,client,web,clinic,commands/{firebase,site}}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
    .sort()
    .flatMap(patternsIn);
}

/** Returns characters that could make the pattern slow when repeated: its own, and some common characters. */
export function charactersOf({ source }: Pattern): Set<string> {
  return new Set([...source.replace(/[\\^$|?()[\]{}+*]/g, ''), ...'/.a0- \n']);
}

/**
 * Returns the regular expressions of a file. In a template of `new RegExp`, `x` stands for inserted values.
 */
function patternsIn(file: string): Pattern[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const { program, errors } = parseSync(file, text);
  assert.deepEqual(errors, []);
  const found: Pattern[] = [];
  const visit = (node: unknown) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    const { type, start, regex, callee } = node as SyntaxNode;
    const place = `${file}:${text.slice(0, start).split('\n').length}`;
    if (type === 'Literal' && regex) found.push({ place, source: regex.pattern, flags: regex.flags });
    if (type === 'NewExpression' && callee?.name === 'RegExp') found.push({ place, ...builtPattern(node) });
    Object.values(node).forEach(visit);
  };
  visit(program);
  return found;
}

function builtPattern(node: object): Omit<Pattern, 'place'> {
  const [source, flags] = (node as SyntaxNode).arguments ?? [];
  return { source: textOf(source), flags: String(flags?.value ?? '') };
}

/** Returns the text of a template, a template of `String.raw`, or a list of them that `join('|')` joins. */
function textOf(node: Argument | undefined): string {
  if (node?.type === 'TemplateLiteral') return (node.quasis ?? []).map(({ value }) => value.cooked).join('x');
  if (node?.type === 'TaggedTemplateExpression')
    return (node.quasi?.quasis ?? []).map(({ value }) => value.raw).join('x');
  const joined = node?.callee?.object?.elements;
  assert.ok(joined, 'new RegExp() is given a template or a list of templates');
  return joined.map(textOf).join('|');
}

/** The parts of the syntax tree (ESTree) that this test reads. */
type SyntaxNode = {
  type: string;
  start: number;
  regex?: { pattern: string; flags: string } | null;
  callee?: { name?: string };
  arguments?: Argument[];
};
type Argument = {
  type: string;
  value?: unknown;
  quasis?: { value: { cooked: string; raw: string } }[];
  quasi?: Argument;
  callee?: { object?: { elements?: Argument[] } };
};
