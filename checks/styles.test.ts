import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const web = join(import.meta.dirname, '../web');

/** Finds the lines that match `pattern` in all stylesheets except `declarations`, with file and number. */
function linesWith(pattern: RegExp, declarations: string): string[] {
  return globSync('**/*.css', { cwd: web })
    .filter((file) => file !== join('styles', declarations))
    .flatMap((file) =>
      readFileSync(join(web, file), 'utf8')
        .split('\n')
        .map((line, index) => ({ line, place: `${file}:${index + 1}` }))
        .filter(({ line }) => pattern.test(line))
        .map(({ line, place }) => `${place}: ${line.trim()}`),
    );
}

test('only tokens.css contains font sizes', () => {
  assert.deepEqual(linesWith(/^\s*font(-size)?:.*(?<![\w-])[\d.]+(%|[a-z])/, 'tokens.css'), []);
});

test('only tokens.css contains colours', () => {
  assert.deepEqual(linesWith(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|oklab)a?\(/i, 'tokens.css'), []);
});

test('only breakpoints.css contains widths of media queries', () => {
  assert.deepEqual(linesWith(/@media.*\d/, 'breakpoints.css'), []);
});

test('every class that a component names is in its stylesheet, and the reverse', () => {
  const named = new Map<string, Set<string>>();
  /** Stylesheets whose classes a component passes on or chooses by a variable. */
  const passedOn = new Set<string>();
  for (const file of globSync('**/*.{ts,tsx}', { cwd: web })) {
    const code = readFileSync(join(web, file), 'utf8');
    for (const [, name, path = ''] of code.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      const sheet = path.startsWith('#web/') ? path.slice('#web/'.length) : join(dirname(file), path);
      const classes = named.get(sheet) ?? new Set();
      for (const [, found = ''] of code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))) classes.add(found);
      named.set(sheet, classes);
      if (new RegExp(`(?<!import )\\b${name}\\b(?!\\.\\w)`).test(code)) passedOn.add(sheet);
    }
  }
  assert.ok(named.size > 50);
  for (const [sheet, classes] of named) {
    const declared = classesIn(readFileSync(join(web, sheet), 'utf8'));
    assert.deepEqual(
      [...classes].filter((name) => !declared.has(name)),
      [],
      `missing in ${sheet}`,
    );
    if (!passedOn.has(sheet))
      assert.deepEqual(
        [...declared].filter((name) => !classes.has(name)),
        [],
        `not used in ${sheet}`,
      );
  }
});

function classesIn(css: string): Set<string> {
  const rules = css.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/url\([^)]*\)|"[^"]*"/g, '');
  return new Set([...rules.matchAll(/\.([a-z]\w*)/gi)].map(([, name = '']) => name));
}
