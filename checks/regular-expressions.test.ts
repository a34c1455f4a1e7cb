import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { checkSync } from 'recheck';
import { parseSync } from 'vite';

const root = path.join(import.meta.dirname, '..');
const inputCharacters = 100_000;
/** A linear search of this input takes about a millisecond, a quadratic search many seconds. */
const longestSearchMs = 500;

type Pattern = { place: string; source: string; flags: string };

const patterns = globSync('{server,contract,client,web,clinic}/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
  .sort()
  .flatMap(patternsIn);

describe('regular expressions', () => {
  it('are all found, including those that are built at run time', () => {
    assert.ok(patterns.length > 60, `${patterns.length} found`);
    assert.ok(patterns.some(({ place }) => place.startsWith('contract/storage.ts')));
  });

  it('take time in proportion to their input, by static analysis', () => {
    const slow = patterns.flatMap(({ place, source, flags }) => {
      const found = checkSync(source, flags);
      const attack = found.status === 'vulnerable' ? found.attack.pattern : '';
      return found.status === 'safe' ? [] : [`${place} /${source}/ is ${found.status} ${attack}`];
    });
    assert.deepEqual(slow, []);
  });

  it(`finish within ${longestSearchMs} ms for ${inputCharacters} repetitions of each of their characters`, () => {
    const slow = patterns.flatMap(({ place, source, flags }) =>
      worstInputs(source).flatMap((input) => {
        const started = performance.now();
        for (const _ of input.matchAll(new RegExp(source, `${flags.replace(/[gy]/g, '')}g`)));
        const took = performance.now() - started;
        return took < longestSearchMs ? [] : [`${place} /${source}/ ${input.slice(0, 9)}: ${took} ms`];
      }),
    );
    assert.deepEqual(slow, []);
  });
});

/** Returns one input per character of the pattern, and some more: the character repeated, then NUL. */
function worstInputs(source: string): string[] {
  const characters = new Set([...source.replace(/[\\^$|?()[\]{}+*]/g, ''), ...'/.a0- \n']);
  return [...characters].map((character) => `${character.repeat(inputCharacters)}\0`);
}

/** Returns the literals of a file, and the templates in `new RegExp` with `x` for each inserted value. */
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
  assert.equal(source?.type, 'TemplateLiteral', 'new RegExp() is given a template literal');
  return {
    source: (source?.quasis ?? []).map(({ value }) => value.cooked).join('x'),
    flags: String(flags?.value ?? ''),
  };
}

/** The parts of the syntax tree (ESTree) that this test reads. */
type SyntaxNode = {
  type: string;
  start: number;
  regex?: { pattern: string; flags: string } | null;
  callee?: { name?: string };
  arguments?: { type: string; value?: unknown; quasis?: { value: { cooked: string } }[] }[];
};
