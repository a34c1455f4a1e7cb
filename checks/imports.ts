import { posix } from 'node:path';
import { parseSync } from 'vite';

/** Maps paths (relative to the root, with `/`) to file contents. Only TypeScript files need contents. */
export type SourceTree = Map<string, string>;

const aliasFolders = [
  'contract',
  'client',
  'server',
  'web',
  'clinic',
  'build',
  'checks',
  'bench',
  'hard',
  'deploy',
];

/**
 * The folders and packages that each folder may import, besides itself. `packages: 'any'` disables the check
 * of packages.
 */
const downhill: Record<string, { folders: string[]; packages: 'any' | string[] }> = {
  contract: { folders: [], packages: ['zod'] },
  clinic: { folders: ['contract'], packages: ['zod'] },
  client: { folders: ['contract'], packages: ['altcha-lib', 'zod', '@noble/hashes'] },
  web: { folders: ['client', 'contract'], packages: 'any' },
  server: { folders: ['contract'], packages: 'any' },
  build: { folders: ['web', 'client', 'contract', 'clinic'], packages: 'any' },
  checks: { folders: ['server', 'build', 'client', 'contract', 'clinic'], packages: 'any' },
  commands: {
    folders: ['hard', 'checks', 'build', 'server', 'client', 'contract', 'clinic'],
    packages: 'any',
  },
  bench: { folders: ['commands', 'build', 'server', 'web', 'client', 'contract', 'clinic'], packages: 'any' },
  hard: { folders: ['bench', 'checks', 'server', 'client', 'contract'], packages: 'any' },
  deploy: { folders: ['hard', 'bench', 'checks', 'server', 'client', 'contract'], packages: 'any' },
  e2e: { folders: ['build', 'server', 'client', 'contract', 'clinic'], packages: 'any' },
};

export const projectFolders = Object.keys(downhill);

/** Folders that tests may import in addition, for example the client library. */
const testFolders = ['client', 'contract', 'clinic'];
const testPackages = /^(?:node:|@firebase\/|fast-check$)/;

/** The features (folders of `server/`) that every other feature may import. */
const sharedFeatures = ['http', 'database', 'mail'];
/** The files of other features that every feature may import. A feature without an entry has no such file. */
const publicFiles: Record<string, string[]> = {
  auth: ['guards.ts', 'rate-limits.ts'],
  users: ['users.ts', 'access-log.ts'],
  backup: ['deletions.ts'],
  diary: ['sharing/clinicians.ts', 'entries.ts', 'read-entries.ts', 'week/week.ts'],
};
/** Files of other features that only the account feature may import: sign-in, sessions and personal data. */
const accountReads =
  /^server\/(?:auth\/(?:auth|sign-in-methods|routes|sessions\/complete-sign-in|sessions\/cookies)|[^/]+\/personal-data)\.ts$/;
/** The features that implement commands of the operator. They copy what other features store. */
const operatorFeatures = ['backup', 'check', 'move'];
/** Files of other features that only `operatorFeatures` may import. */
const operatorReads =
  /^server\/(?:storage\/(?:files\/(?:copy-content|files)|store\/(?:arrival|file-store|open-file-store|release|s3-connection))|auth\/(?:secret|second-factor\/second-factor)|backup\/(?:check-destination|progress|runs)|account\/personal-data|diary\/(?:keys\/master-key|sharing\/(?:notes|shares))|newsletter\/(?:issues|newsletter)|reminders\/reminders)\.ts$/;
/** Files directly in `server/` that every feature may import. */
const serverRootFiles =
  /^server\/(?:context|environment|environment-backup|environment-values|permissions|concurrency|limited-process|program)\.ts$/;

/** The file of the server that may import `clinic/`: the source of the sample content. */
const clinicReaders = /^server\/site\/content\.ts$/;

const vagueFolders = ['utils', 'helpers', 'common', 'services', 'misc'];

/** Files that may read process.env: the server's environment.ts, and code outside the product. */
const environmentReaders =
  /^(?:server\/environment\.ts|server\/testing\/|build\/|checks\/|commands\/|bench\/|hard\/|deploy\/|e2e\/|[^/]+$)|\.test\.ts$/;

/** Code that browsers load in chunks. */
const chunkFolders = /^(?:web|client)\//;
/** The chunk loader, and the functions that pass their argument to it. */
const chunkLoaders = ['loadChunk', 'onceLoaded', 'lazyComponent', 'page'];

/** Returns one sentence for each violation of the rules in docs/architecture.md. */
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
    ...(vague === undefined ? [] : [`${path}: a folder named ${vague} does not say what it contains`]),
    ...(/(?:^|\/)index\.tsx?$/.test(path) ? [`${path}: barrel files are not allowed`] : []),
  ];
}

function sourceBreaches(path: string, text: string, tree: SourceTree): string[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) return [`${path}: cannot be read: ${errors[0]?.message}`];
  const wanted = importsOf(path, text);
  return [
    ...[...new Set(wanted)].flatMap((specifier) => importBreaches(path, specifier, tree)),
    ...(chunkFolders.test(path) && !/\.test\.tsx?$/.test(path) && loadsUnnamedChunk(program)
      ? [`${path}: an import() outside of loadChunk has no name, no timeout and no reload after a deploy`]
      : []),
    ...(!environmentReaders.test(path) && readsEnvironment(program)
      ? [`${path}: reads process.env; only server/environment.ts may`]
      : []),
  ];
}

/**
 * Finds groups of files that import one another, directly or not, type-only imports included. Source: Tarjan,
 * "Depth-first search and linear graph algorithms", 1972.
 */
export function findCycles(tree: SourceTree): string[][] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];

  function visit(path: string): number {
    order.set(path, order.size);
    let lowest = order.size - 1;
    stack.push(path);
    for (const next of importsOf(path, tree.get(path) ?? '')) {
      const target = resolve(path, next)?.replace(/\?.*$/, '') ?? '';
      if (!/\.tsx?$/.test(target) || !tree.has(target)) continue;
      const known = order.get(target);
      if (known === undefined) lowest = Math.min(lowest, visit(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, known);
    }
    if (lowest === order.get(path)) {
      const cycle = stack.splice(stack.indexOf(path));
      if (cycle.length > 1) cycles.push(cycle.sort());
    }
    return lowest;
  }

  for (const path of tree.keys()) if (/\.tsx?$/.test(path) && !order.has(path)) visit(path);
  return cycles;
}

/** The import specifiers of a source file, including those of re-exports. */
function importsOf(path: string, text: string): string[] {
  const { module } = parseSync(path, text);
  return [
    ...module.staticImports.map((one) => one.moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map((one) => one.moduleRequest?.value)),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start, end).slice(1, -1)),
  ].filter((specifier) => specifier !== undefined);
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
  const [fromArea, toArea] = [areaOf(from), areaOf(to)];
  if (toArea === undefined) return [];
  if (from.startsWith('web/components/')) return [`${from}: a component must not import a page (${to})`];
  const toPage = pageOf(to);
  if (toPage === undefined) {
    // The renderer and the routes import every area.
    const allowed = fromArea === toArea || from.startsWith('web/app/');
    return allowed ? [] : [`${from}: ${to} belongs to another area; what both use is in web/components`];
  }
  const fromPage = pageOf(from);
  const isPage = fromArea !== undefined;
  if (isPage && fromPage !== toPage)
    return [`${from}: must not import another page (${to}); what both use is a component`];
  return [];
}

/** Returns `public` for `web/pages/public/about.tsx`. */
function areaOf(path: string): string | undefined {
  return /^web\/pages\/([^/]+)\//.exec(path)?.[1];
}

/** Returns `public/about` for `web/pages/public/about.tsx`, `about.module.css` and all files in `about/`. */
function pageOf(path: string): string | undefined {
  const page = /^web\/pages\/([^/]+\/[^/.]+)/.exec(path)?.[1];
  return page?.endsWith('/components') ? undefined : page;
}

function serverBreaches(from: string, to: string): string[] {
  const [fromFeature, toFeature] = [featureOf(from), featureOf(to)];
  if (toFeature === 'testing' && fromFeature !== 'testing')
    return [`${from}: only tests import server/testing (${to})`];
  if (fromFeature === undefined || fromFeature === 'testing' || fromFeature === toFeature) return [];
  if (toFeature === undefined)
    return serverRootFiles.test(to) ? [] : [`${from}: must not import ${to}, which imports it`];
  const allowed =
    sharedFeatures.includes(toFeature) ||
    (fromFeature === 'account' && accountReads.test(to)) ||
    (operatorFeatures.includes(fromFeature) && operatorReads.test(to)) ||
    publicFiles[toFeature]?.some((file) => to === `server/${toFeature}/${file}`);
  if (!allowed) return [`${from}: a feature must not import the insides of another (${to})`];
  // Shared features must not import others, with one exception: the mailer uses the rate limits of sign-in.
  const below = sharedFeatures.includes(fromFeature) && !sharedFeatures.includes(toFeature);
  return below && to !== 'server/auth/rate-limits.ts'
    ? [`${from}: ${fromFeature} must not import ${to}`]
    : [];
}

/** Returns `auth` for `server/auth/google/google.ts`, and `undefined` for a file that is in no feature. */
function featureOf(path: string): string | undefined {
  return /^server\/([^/]+)\//.exec(path)?.[1];
}

/** Returns the file that a specifier names, and `undefined` for a package. */
function resolve(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  return undefined;
}

/** Returns `zod` for `zod/mini`, and `@axe-core/playwright` unchanged. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function topFolder(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
}

/** Finds `process.env`, `process['env']`, `const { env } = process`, and any import from `node:process`. */
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

/** True if an `import()` is outside the argument of a chunk loader. */
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
