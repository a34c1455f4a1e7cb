import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { texts } from '#clinic/texts.ts';
import type { PageFacts, PageRenderer } from '#contract/site/document.ts';
import { pagesWithOwnStyles } from './build.ts';

const dist = join(import.meta.dirname, '../dist');
const site = join(dist, 'site');
const read = (file: string) => readFileSync(join(site, file), 'utf8');
/** Compressed size of a file in kB (1,000 bytes). */
const packedSize = (file: string) => statSync(join(site, `${file}.br`)).size / 1000;
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** Compressed size of a page in kB, as the server sends it. */
const pageSize = (html: string) => brotliCompressSync(html).length / 1000;

const { renderPage }: PageRenderer = await import(pathToFileURL(join(dist, 'render.js')).href);
const origin = 'https://clinica.exemplo.com.br';
const facts: PageFacts = { content: texts, version: 0, site: { origin, google: false } };
const render = async (path: string, google = false) =>
  (await renderPage(path, { ...facts, site: { origin, google } })).html;

const home = await render('/');
/** The HTML of each public page, by a name for messages. */
const pages = new Map<string, string>([
  ...(await Promise.all(pagesWithOwnStyles.map(async (path) => [path, await render(path)] as const))),
  ['/login with Google', await render('/login', true)],
  ['/register with Google', await render('/register', true)],
]);
const linked = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, file = '']) => file);
/** The style files that block the first paint, and those that load after it. */
const blockingStyles = (html: string) => linked(html, /<link rel="stylesheet"[^>]* href="([^"]+)"/g);
const lateStyles = (html: string) =>
  linked(html, / data-styles="([^"]+)"/g).flatMap((files) => files.split(' '));

/** The scripts that a page loads without user input: those in its HTML, and their imports. */
function scripts(html: string): string[] {
  return withImports(linked(html, /<script [^>]*data-files="([^"]+)"/g).flatMap((files) => files.split(' ')));
}

/** Adds what the scripts import statically, directly or indirectly. */
function withImports(files: string[]): string[] {
  const found = new Set(files);
  for (const file of found)
    for (const name of linked(read(file), /\bfrom\s*["`']\.\/([^"`']+)["`']/g))
      found.add(`/static/js/${name}`);
  return [...found];
}

const javaScriptBudget = 105;

test('HTML, styles and JavaScript of the home page stay within their budgets', () => {
  assert.ok(pageSize(home) <= 25, `HTML ${pageSize(home)} kB`);
  const css = sum([...blockingStyles(home), ...lateStyles(home)].map(packedSize));
  assert.ok(css > 0 && css <= 10, `CSS ${css} kB`);
  const files = scripts(home);
  const js = sum(files.map(packedSize));
  assert.ok(js > 50 && js <= javaScriptBudget, `JavaScript ${js} kB: ${files.join(' ')}`);
  assert.ok(files.length <= 3, files.join(' '));
});

test('public pages load no code or styles of other areas, and accounts none of the admin area', () => {
  const loads = (name: string) => {
    const [chunk = ''] = globSync(`static/js/${name}-????????.js`, { cwd: site });
    return withImports([`/${chunk}`]).map((file) => /([a-z-]+)-[\w-]{8}\.js$/.exec(file)?.[1]);
  };
  assert.deepEqual(loads('public').sort(), ['public', 'rolldown-runtime', 'site']);
  assert.deepEqual(loads('account').sort(), ['account', 'client', 'public', 'rolldown-runtime', 'site']);
  const ofPatients = ['account', 'client', 'patient', 'public', 'rolldown-runtime', 'site'];
  assert.deepEqual(loads('patient').sort(), ofPatients);
  const styles = [...pages].flatMap(([page, html]) =>
    [...blockingStyles(html), ...lateStyles(html)].map((file) => `${page}: ${file}`),
  );
  const isForeign = (file: string) =>
    /\/admin-[^/]+$/.test(file) || /^\/(?!login|register).*\/account-/.test(file);
  assert.deepEqual(styles.filter(isForeign), []);
});

test('the service worker keeps the site and the pages of patients, whole and small, and no admin code', () => {
  const code = readFileSync(join(dist, 'sw.js'), 'utf8');
  assert.ok(pageSize(code) <= 10, `${pageSize(code)} kB`);
  assert.doesNotMatch(code, /\badmin-|live-preview|upload-device/);
  const listed = [...code.matchAll(/url:`(\/[^`]+)`,integrity:`(sha256-[^`]+)`/g)];
  for (const [, file = '', integrity] of listed) {
    const hash = createHash('sha256').update(readFileSync(join(site, file)));
    assert.equal(integrity, `sha256-${hash.digest('base64')}`, file);
  }
  const files = listed.map(([, file = '']) => file);
  const sizeOf = (file: string) =>
    file.endsWith('.woff2') ? statSync(join(site, file)).size / 1000 : packedSize(file);
  const size = sum(files.map(sizeOf));
  assert.ok(size > 200 && size <= 300, `${size} kB`);
  // What the HTML of public pages needs, and what each page of patients loads, without network.
  const needed = [...pages].flatMap(([, html]) => [
    ...scripts(html),
    ...blockingStyles(html),
    ...lateStyles(html),
  ]);
  for (const name of ['public', 'account', 'client', 'patient', 'offline'])
    needed.push(
      ...withImports(globSync(`static/js/${name}-????????.js`, { cwd: site }).map((file) => `/${file}`)),
    );
  assert.deepEqual(
    needed.filter((file) => !files.includes(file)),
    [],
  );
});

test('visitors load no code for use without network', () => {
  for (const [page, html] of pages)
    for (const file of scripts(html)) assert.doesNotMatch(file, /\/offline-|\/device-/, page);
  const registers = globSync('static/js/*.js', { cwd: site }).filter((file) => read(file).includes('/sw.js'));
  assert.deepEqual(
    registers.map((file) => /([a-z-]+)-[\w-]{8}\.js$/.exec(file)?.[1]),
    ['offline'],
  );
});

test('the server renders with React’s production code, whatever NODE_ENV is', () => {
  const renderer = readFileSync(join(dist, 'render.js'), 'utf8');
  assert.match(renderer, /react-dom-server/);
  // The warning is part of React’s code for development only.
  assert.doesNotMatch(renderer, /process\.env\.NODE_ENV|Each child in a list/);
});

test('a prerendered page contains its styles and fits into the first round trip of a connection', () => {
  // The home page is too large for the first round trip, so it keeps its style file.
  for (const [file, html] of [...pages].filter(([path]) => path !== '/')) {
    const [[, own = ''] = [], ...others] = html.matchAll(/<style>(.*?)<\/style>/gs);
    assert.deepEqual(others, [], file);
    assert.deepEqual(blockingStyles(html), [], file);
    // Ten packets of 1,460 bytes, minus the headers of the response and of a proxy.
    assert.ok(pageSize(html) <= 13.4, `${file}: ${pageSize(html)} kB`);

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
  for (const [file, html] of pages) {
    const [tag = '', ...others] = html.match(/<script(?![^>]*type="application\/)[^>]*>/g) ?? [];
    assert.match(tag, /^<script type="module"(?: data-styles="[^"]+")? data-files="[^"]+">$/, file);
    assert.deepEqual(others, [], file);
    assert.doesNotMatch(html, /rel="modulepreload"/, file);
  }
});

test('the home page preloads both typefaces, each smaller than 12.2 kB', () => {
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
  for (const [file, html] of pages)
    for (const [tag] of html.matchAll(/<img [^>]*>/g))
      assert.match(tag, /width="\d+" height="\d+"/, `${file}: ${tag}`);
});

test('a page loads no file from another origin without user input', () => {
  const loading =
    /<(?:script|img|source|audio|video|iframe|link rel="(?:stylesheet|preload|icon|manifest|apple-touch-icon)")[^>]*(?:src|srcset|href)="([^"]+)"/gi;
  const elsewhere = /url\("?(?:https?:)?\/\//;
  for (const [file, html] of pages) {
    for (const [, url = ''] of html.matchAll(loading)) assert.match(url, /^(?:\/(?!\/)|data:)/, file);
    assert.doesNotMatch(html, elsewhere, file);
    for (const style of [...blockingStyles(html), ...lateStyles(html)])
      assert.doesNotMatch(read(style), elsewhere, style);
  }
});

test('no script contains site content', () => {
  // Content from before there were diaries gets the sample of this section, so the schema contains it.
  const { diary: _, ...content } = facts.content;
  const texts = textsOf(content).filter((text) => text.length > 20 && !/^(?:https:|\/)/.test(text));
  assert.ok(texts.length > 100);
  const scripts = globSync('static/js/*.js', { cwd: site }).map(read);
  assert.ok(scripts.length > 10);
  for (const text of texts) for (const script of scripts) assert.ok(!script.includes(text), text);
});

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
