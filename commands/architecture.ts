import { posix } from 'node:path';
import { parseSync } from 'vite';

/** Paths from the project's root, with `/`, and the text of those that are source code. */
export type SourceTree = Map<string, string>;

const aliasFolders = ['contract', 'client', 'server', 'web', 'clinic'];

/** What each folder may import besides itself: downhill only. `packages: 'any'` leaves that to review. */
const downhill: Record<string, { folders: string[]; packages: 'any' | string[] }> = {
  contract: { folders: [], packages: ['zod'] },
  clinic: { folders: ['contract'], packages: ['zod'] },
  client: { folders: ['contract'], packages: ['altcha-lib', 'zod', '@noble/hashes'] },
  web: { folders: ['client', 'contract', 'clinic'], packages: 'any' },
  server: { folders: ['contract'], packages: 'any' },
  commands: { folders: ['server', 'web', 'client', 'contract', 'clinic'], packages: 'any' },
  bench: { folders: ['commands', 'server', 'web', 'client', 'contract', 'clinic'], packages: 'any' },
  e2e: { folders: ['commands', 'server', 'client', 'contract', 'clinic'], packages: 'any' },
};

export const projectFolders = Object.keys(downhill);

/** Tests may also use the client library and what their folder's own code may not. */
const testFolders = ['client', 'contract', 'clinic'];
const testPackages = /^(?:node:|@firebase\/)/;

const serverServices = ['auth', 'documents', 'storage', 'site'];
/** What a service may import of the rest of the server. */
const sharedByServices = /^server\/(?:database\/|mail\/|[a-z-]+\.ts$|auth\/(?:guards|signed-tokens)\.ts$)/;

/** The site service delivers what the clinic wrote; the start lists what it has not written yet. */
const clinicReaders = /^server\/(?:site\/|start\.ts$)/;

const vagueFolders = ['utils', 'helpers', 'common', 'services', 'misc'];

/** The only places that read the environment: the server's one reader, and what runs outside the product. */
const environmentReaders =
  /^(?:server\/environment\.ts|server\/testing\/|commands\/|bench\/|e2e\/|[^/]+$)|\.test\.ts$/;

/** Code that browsers load in chunks. */
const chunkFolders = /^(?:web|client)\//;
/** The one loader of chunks, and what calls it with the function that it is given. */
const chunkLoaders = ['loadChunk', 'onceLoaded', 'lazyPart', 'page'];

/** Every place where the tree breaks a rule of docs/architecture.md, as sentences. Empty: none. */
export function findBreaches(tree: SourceTree): string[] {
  return [...tree].flatMap(([path, text]) => [
    ...nameBreaches(path),
    ...(/\.tsx?$/.test(path) ? sourceBreaches(path, text, tree) : []),
  ]);
}

function nameBreaches(path: string): string[] {
  const folders = path.split('/').slice(0, -1);
  const vague = folders.find((folder) => vagueFolders.includes(folder));
  return [
    ...(vague === undefined ? [] : [`${path}: a folder named ${vague} says nothing about what it holds`]),
    ...(/(?:^|\/)index\.tsx?$/.test(path) ? [`${path}: a barrel hides where things are`] : []),
  ];
}

function sourceBreaches(path: string, text: string, tree: SourceTree): string[] {
  const { program, module, errors } = parseSync(path, text);
  if (errors.length > 0) return [`${path}: cannot be read: ${errors[0]?.message}`];
  const wanted = [
    ...module.staticImports.map((one) => one.moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map((one) => one.moduleRequest?.value)),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start, end).slice(1, -1)),
  ].filter((specifier) => specifier !== undefined);
  return [
    ...[...new Set(wanted)].flatMap((specifier) => importBreaches(path, specifier, tree)),
    ...(chunkFolders.test(path) && !/\.test\.tsx?$/.test(path) && loadsUnnamedChunk(program)
      ? [`${path}: an import() outside of loadChunk has no name, no time-out and no reload after a deploy`]
      : []),
    ...(!environmentReaders.test(path) && readsEnvironment(program)
      ? [`${path}: reads process.env; only server/environment.ts does`]
      : []),
  ];
}

function importBreaches(from: string, specifier: string, tree: SourceTree): string[] {
  const target = resolve(from, specifier);
  const fromFolder = topFolder(from);
  const rule = downhill[fromFolder];
  if (rule === undefined) return [];
  const isTest = from.endsWith('.test.ts') || from.startsWith('client/testing/');

  if (target === undefined) {
    const allowed =
      rule.packages === 'any' ||
      rule.packages.includes(packageOf(specifier)) ||
      (isTest && testPackages.test(specifier));
    return allowed ? [] : [`${from}: ${fromFolder} must not import the package ${specifier}`];
  }
  const path = target.replace(/\?.*$/, '');
  if (!tree.has(path)) return [`${from}: ${specifier} names no file`];

  const toFolder = topFolder(path);
  if (fromFolder !== toFolder) {
    if (specifier.startsWith('.') && aliasFolders.includes(toFolder))
      return [`${from}: ${specifier} leaves the folder; use #${toFolder}/…`];
    const allowed =
      rule.folders.includes(toFolder) ||
      (toFolder === 'clinic' && clinicReaders.test(from)) ||
      ((isTest || from.startsWith('server/testing/')) && testFolders.includes(toFolder));
    return allowed ? [] : [`${from}: ${fromFolder} must not import ${toFolder} (${specifier})`];
  }
  if (fromFolder === 'web') return webBreaches(from, path);
  if (fromFolder === 'server' && !isTest) return serverBreaches(from, path);
  return [];
}

function webBreaches(from: string, to: string): string[] {
  const toPage = pageOf(to);
  if (toPage === undefined) return [];
  const fromPage = pageOf(from);
  if (fromPage !== undefined && fromPage !== toPage)
    return [`${from}: a page must not import another page (${to}); what both use is a part`];
  if (from.startsWith('web/parts/')) return [`${from}: a part must not import a page (${to})`];
  return [];
}

/** `web/pages/public/about.tsx`, `about.module.css` and all of the folder `about/` are the page `public/about`. */
function pageOf(path: string): string | undefined {
  return /^web\/pages\/([^/]+\/[^/.]+)/.exec(path)?.[1];
}

function serverBreaches(from: string, to: string): string[] {
  const [, fromPart = ''] = from.split('/');
  const [, toPart = ''] = to.split('/');
  if (to.startsWith('server/testing/') && fromPart !== 'testing')
    return [`${from}: only tests import server/testing (${to})`];
  if (fromPart === toPart) return [];
  const isRoom = !fromPart.endsWith('.ts') && fromPart !== 'testing';
  if (isRoom && ['app.ts', 'main.ts'].includes(toPart))
    return [`${from}: must not import ${to}, which builds it`];
  if (serverServices.includes(fromPart) && !sharedByServices.test(to))
    return [`${from}: a service must not import the insides of another (${to})`];
  if ((fromPart === 'database' || fromPart === 'mail') && !toPart.endsWith('.ts'))
    return [`${from}: ${fromPart} must not import ${to}`];
  return [];
}

/** The file that a specifier names; `undefined` for a package. */
function resolve(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  return undefined;
}

/** `zod` of `zod/mini`, `@axe-core/playwright` of itself. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function topFolder(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
}

/** `process.env`, `process['env']`, `const { env } = process` and `import { env } from 'node:process'`. */
function readsEnvironment(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(readsEnvironment);
  if (!isNode(node)) return false;
  if (node.type === 'MemberExpression' && isNamed(node.object, 'process') && isNamed(node.property, 'env'))
    return true;
  if (node.type === 'VariableDeclarator' && isNamed(node.init, 'process') && isNode(node.id)) {
    const { properties } = node.id;
    if (Array.isArray(properties) && properties.some((one) => isNode(one) && isNamed(one.key, 'env')))
      return true;
  }
  if (
    node.type === 'ImportDeclaration' &&
    isNode(node.source) &&
    /^(?:node:)?process$/.test(String(node.source.value))
  )
    return true;
  return Object.values(node).some(readsEnvironment);
}

/** Whether an `import()` stands anywhere but in what is given to a loader of chunks. */
function loadsUnnamedChunk(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(loadsUnnamedChunk);
  if (!isNode(node)) return false;
  if (node.type === 'ImportExpression') return true;
  if (node.type === 'CallExpression' && chunkLoaders.some((name) => isNamed(node.callee, name))) return false;
  return Object.values(node).some(loadsUnnamedChunk);
}

type SyntaxNode = { type: string } & Record<string, unknown>;

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function isNamed(node: unknown, name: string): boolean {
  return isNode(node) && (node.name === name || node.value === name);
}
