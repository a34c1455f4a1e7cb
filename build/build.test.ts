import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const site = join(import.meta.dirname, '../dist/site');
const read = (file: string) => readFileSync(join(site, file), 'utf8');
/** Compressed size of a file in kB (1,000 bytes). */
const packedSize = (file: string) => statSync(join(site, `${file}.br`)).size / 1000;
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

const home = read('index.html');
const linked = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, file = '']) => file);
/** The style files that block the first paint, and those that load after it. */
const blockingStyles = (html: string) => linked(html, /<link rel="stylesheet"[^>]* href="([^"]+)"/g);
const lateStyles = (html: string) =>
  linked(html, / data-styles="([^"]+)"/g).flatMap((files) => files.split(' '));

/** The scripts that a page loads without user input: those in its HTML, and their imports. */
function scripts(html: string): string[] {
  const found = new Set(
    linked(html, /<script [^>]*data-files="([^"]+)"/g).flatMap((files) => files.split(' ')),
  );
  for (const file of found)
    for (const name of linked(read(file), /\bfrom\s*["`']\.\/([^"`']+)["`']/g))
      found.add(`/static/js/${name}`);
  return [...found];
}

const javaScriptBudget = 100;

test('HTML, styles and JavaScript of the home page stay within their budgets', () => {
  assert.ok(packedSize('index.html') <= 25, `HTML ${packedSize('index.html')} kB`);
  const css = sum([...blockingStyles(home), ...lateStyles(home)].map(packedSize));
  assert.ok(css > 0 && css <= 10, `CSS ${css} kB`);
  const files = scripts(home);
  const js = sum(files.map(packedSize));
  assert.ok(js > 50 && js <= javaScriptBudget, `JavaScript ${js} kB: ${files.join(' ')}`);
  assert.ok(files.length <= 3, files.join(' '));
});

const finished = [
  ...['index.html', 'about.html', 'privacidade.html', '404.html', 'login.html', 'login-google.html'],
  ...['recover.html', 'register.html', 'register-google.html'],
];

test('a prerendered page contains its styles and fits into the first round trip of a connection', () => {
  // The home page is too large for the first round trip, so it keeps its style file.
  for (const file of finished.filter((name) => name !== 'index.html')) {
    const html = read(file);
    const [[, own = ''] = [], ...others] = html.matchAll(/<style>(.*?)<\/style>/gs);
    assert.deepEqual(others, [], file);
    assert.deepEqual(blockingStyles(html), [], file);
    // Ten packets of 1,460 bytes, minus the headers of the response and of a proxy.
    assert.ok(packedSize(file) <= 13.4, `${file}: ${packedSize(file)} kB`);

    const whole = lateStyles(html).map(read).join('');
    const styled = (css: string, name: string) => new RegExp(`\\.${name}(?![\\w-])`).test(css);
    const names = new Set(linked(html, /\sclass="([^"]+)"/g).flatMap((value) => value.split(' ')));
    assert.ok(names.size > 10, file);
    for (const name of names) assert.equal(styled(own, name), styled(whole, name), `${file}: .${name}`);
    assert.ok(own.length < whole.length * 0.75, `${file}: ${own.length} of ${whole.length}`);
    for (const part of ['prefers-color-scheme:dark', ':hover', ':focus-visible', 'prefers-reduced-motion'])
      assert.ok(own.includes(part), `${file}: ${part}`);
  }
});

test('no script blocks a prerendered page', () => {
  for (const file of finished) {
    const html = read(file);
    const [tag = '', ...others] = html.match(/<script(?![^>]*type="application\/)[^>]*>/g) ?? [];
    assert.match(tag, /^<script type="module"(?: data-styles="[^"]+")? data-files="[^"]+">$/, file);
    assert.deepEqual(others, [], file);
    assert.doesNotMatch(html, /rel="modulepreload"/, file);
  }
});

test('both typefaces are preloaded and reduced to the letters of Portuguese', () => {
  const fonts = linked(home, /<link rel="preload" href="([^"]+\.woff2)" as="font"/g);
  assert.equal(fonts.length, 2);
  for (const file of fonts) assert.ok(statSync(join(site, file)).size < 12_200, file);
});

test('before its first paint the home page requests one style file and two fonts only', () => {
  assert.equal(blockingStyles(home).length, 1);
  assert.deepEqual(lateStyles(home), []);
  assert.doesNotMatch(home, /<style/);
  const early = linked(home, /<link rel="(?:preload|prefetch|modulepreload|manifest)" href="([^"]+)"/g);
  assert.deepEqual(
    early.filter((file) => !file.endsWith('.woff2')),
    [],
  );
  for (const [picture] of home.matchAll(/<img [^>]*>/g)) assert.match(picture, /fetchPriority="low"/);
});

test('pictures have a width and a height, so that the layout does not shift', () => {
  for (const file of finished)
    for (const [tag] of read(file).matchAll(/<img [^>]*>/g))
      assert.match(tag, /width="\d+" height="\d+"/, `${file}: ${tag}`);
});

test('a page loads no file from another origin without user input', () => {
  const loading =
    /<(?:script|img|source|audio|video|iframe|link rel="(?:stylesheet|preload|icon|manifest|apple-touch-icon)")[^>]*(?:src|srcset|href)="([^"]+)"/gi;
  for (const file of finished)
    for (const [, url = ''] of read(file).matchAll(loading)) assert.match(url, /^(?:\/(?!\/)|data:)/, file);
  const styled = finished.flatMap((page) => [page, ...blockingStyles(read(page)), ...lateStyles(read(page))]);
  for (const file of styled) assert.doesNotMatch(read(file), /url\("?(?:https?:)?\/\//);
});
