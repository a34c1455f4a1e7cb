import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { expectNone } from './expect-none.ts';

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
  expectNone(
    linesWith(/^\s*font(-size)?:.*(?<![\w-])[\d.]+(%|[a-z])/, 'tokens.css'),
    'Use a token of tokens.css:',
  );
});

test('only tokens.css contains colours', () => {
  expectNone(
    linesWith(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch|oklab)a?\(/i, 'tokens.css'),
    'Use a token of tokens.css:',
  );
});

/**
 * What an old browser lacks and Biome's `useBaseline` does not know. `:has()` needs Firefox 121,
 * `color-mix()` Chrome 111, nesting Chrome 120, and a line as a unit Firefox 120.
 */
const newSyntax = /:has\(|color-mix\(|&|:nth-(?:last-)?child\([^)]* of |\(from |[\d.](?:r?lh|r?cap|r?ic)\b/;

/** Why the style may be missing in an old browser, by stylesheet. */
const enhancements: Record<string, string> = {
  'components/dialog.module.css': 'the page behind a dialog scrolls and is printed',
  'components/layout/footer.module.css': 'a line is missing',
  'components/plain-text.module.css': 'list marks have the colour of the text',
  'components/practice/practice-card.module.css': 'the button lies in a corner of a playing video',
  'offline/update-notice.module.css': 'the end of the page has no space for the notice',
  'components/toast.module.css': 'notices have no edge, and the end of the page has no space for them',
  'pages/account/account/second-factor.module.css': 'the page is printed before the codes',
  'pages/admin/components/activity/video-field.module.css': 'a playing video stays small',
  'pages/admin/components/sidebar.module.css':
    'lines and tints are missing, and the page behind the menu scrolls',
  'pages/admin/list/virtual-rows.module.css': 'the dragged card is below the others',
  'pages/public/about.module.css': 'a line is missing',
  'pages/public/about/processes.module.css': 'the tabs have no edge',
  'components/crisis.module.css': 'a line is missing',
  'styles/base.css': 'the page behind a dialog scrolls, so there is nothing to undo on paper',
  'pages/public/home/below-the-fold.module.css': 'the open menu does not hide the second booking link',
};

test('styles use what old browsers lack only where it may be missing', () => {
  const found = linesWith(newSyntax, '').map((line) => line.split(':', 1)[0] ?? '');
  assert.deepEqual([...new Set(found)].sort(), Object.keys(enhancements).sort());
});

test('no shape has a colour that old browsers do not know, because it would become black', () => {
  expectNone(linesWith(/(?:fill|stroke|--[\w-]+):.*color-mix\(/, ''), 'Use a colour of tokens.css:');
});

test('only breakpoints.css contains widths of media queries', () => {
  expectNone(linesWith(/@media.*\d/, 'breakpoints.css'), 'Name the width in breakpoints.css:');
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
    expectNone(
      [...classes].filter((name) => !declared.has(name)),
      `Add these classes to ${sheet}:`,
    );
    if (!passedOn.has(sheet))
      expectNone(
        [...declared].filter((name) => !classes.has(name)),
        `Remove these classes, which no component uses, from ${sheet}:`,
      );
  }
});

function classesIn(css: string): Set<string> {
  const rules = css.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/url\([^)]*\)|"[^"]*"/g, '');
  return new Set([...rules.matchAll(/\.([a-z]\w*)/gi)].map(([, name = '']) => name));
}
