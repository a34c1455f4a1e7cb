import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { expectNone } from './expect-none.ts';

const root = join(import.meta.dirname, '..');
const mostSources = 25;
const mostRootFiles = 15;
const mostLines = 400;
/** The line width of the formatter, which does not wrap comments. */
const mostCharacters = 110;
const files = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .stdout.trim()
  .split('\n');
const isSource = (file: string) =>
  /\.(?:tsx?|mjs)$/.test(file) && !/\.(?:test|spec)\.ts$|\/migrations\//.test(file);

test(`no folder has more than ${mostSources} source files`, () => {
  const counts = Map.groupBy(files.filter(isSource), dirname);
  const crowded = [...counts].filter(([, sources]) => sources.length > mostSources);
  const remedy = 'Move files with one subject into a folder of their own, or merge small files:';
  expectNone(
    crowded.map(([folder, sources]) => `${folder}: ${sources.length}`),
    remedy,
  );
});

test(`the root has at most ${mostRootFiles} files`, () => {
  const rootFiles = files.filter((file) => !file.includes('/'));
  const isCrowded = rootFiles.length > mostRootFiles;
  expectNone(isCrowded ? rootFiles : [], 'Move a file into the folder of its subject:');
});

test(`no source file has more than ${mostLines} lines`, () => {
  const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1;
  const long = files.filter((file) => isSource(file) && linesOf(file) > mostLines);
  expectNone(long, 'Move one subject of the file into a file of its own:');
});

test(`no line of a comment has more than ${mostCharacters} characters, except directives for the linter`, () => {
  const isTooLong = (line: string) =>
    line.length > mostCharacters && /^\s*(?:\*|\/\/|\/\*)/.test(line) && !line.includes('biome-ignore');
  const long = files
    .filter((file) => /\.(?:tsx?|mjs|css)$/.test(file))
    .flatMap((file) => {
      const lines = readFileSync(join(root, file), 'utf8').split('\n');
      return lines.flatMap((line, index) => (isTooLong(line) ? [`${file}:${index + 1}`] : []));
    });
  expectNone(long, 'Wrap these comments:');
});

test('docs/architecture.md names every folder of the first two levels, and every file of server/ that is in no feature', () => {
  const [, tree = ''] = /```\n(.*?)```/s.exec(readFileSync(join(root, 'docs/architecture.md'), 'utf8')) ?? [];
  const named = new Set<string>();
  let folder = '';
  for (const line of tree.trimEnd().split('\n')) {
    const name = /^\s*(\S+)/.exec(line)?.[1] ?? '';
    if (!line.startsWith(' ')) folder = name;
    named.add(line.startsWith(' ') ? folder + name : name);
  }
  const foldersIn = (place: string) =>
    readdirSync(join(root, place), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const ofProject = (path: string) => files.some((file) => file.startsWith(path));
  const expected = foldersIn('.')
    .map(({ name }) => `${name}/`)
    .filter((name) => ofProject(name) && !name.startsWith('.'));
  const missing = expected.filter((name) => !named.has(name));
  for (const place of ['client/', 'web/', 'server/'])
    for (const { name } of foldersIn(place))
      if (ofProject(`${place}${name}/`) && !named.has(`${place}${name}/`)) missing.push(`${place}${name}/`);
  for (const file of files)
    if (/^server\/[^/]+\.(?:ts|mjs)$/.test(file) && isSource(file) && !named.has(file)) missing.push(file);
  expectNone(missing, 'Add a line to the tree in docs/architecture.md for:');
});
