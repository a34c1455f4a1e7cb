import { createHash } from 'node:crypto';

/** The parts of npm's lockfile (version 3) that an SBOM needs. */
export type Lockfile = { name: string; version: string; packages: Record<string, LockedPackage> };

type LockedPackage = {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
};

type Component = { 'bom-ref': string } & Record<string, unknown>;

const hashNames: Record<string, string> = {
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
};

/**
 * Lists the production dependencies of a lockfile: a CycloneDX 1.6 document
 * (https://cyclonedx.org/docs/1.6/json/). Packages that only some platforms install have the scope
 * `optional`.
 * @param seconds the time of the document, in seconds since 1970
 */
export function makeSbom(lock: Lockfile, seconds: number) {
  const root = lock.packages[''] ?? {};
  const installed = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev);
  const components = new Map<string, Component>();
  const dependsOn = new Map<string, Set<string>>();
  for (const [path, locked] of installed) {
    const component = componentOf(path, locked);
    const ref = component['bom-ref'];
    // npm can install the same version of a package at several paths; the SBOM lists it once.
    if (!components.has(ref)) components.set(ref, component);
    dependsOn.set(ref, new Set([...(dependsOn.get(ref) ?? []), ...findDependencies(lock, path, locked)]));
  }
  const rootRef = `${lock.name}@${lock.version}`;
  dependsOn.set(rootRef, new Set(findDependencies(lock, '', root)));
  const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
  const content = {
    metadata: {
      timestamp: new Date(seconds * 1_000).toISOString(),
      component: {
        ...{ type: 'application', 'bom-ref': rootRef, name: lock.name, version: lock.version },
        ...licensesOf(root),
      },
    },
    components: [...components].sort(byName).map(([, component]) => component),
    dependencies: [...dependsOn].sort(byName).map(([ref, on]) => ({ ref, dependsOn: [...on].sort() })),
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  };
}

function componentOf(path: string, locked: LockedPackage): Component {
  const name = nameOf(path, locked);
  const purl = purlOf(path, locked);
  const [group, shortName] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group === undefined ? {} : { group }),
    name: shortName,
    version: locked.version,
    scope: locked.optional ? 'optional' : 'required',
    hashes: (locked.integrity ?? '').split(/\s+/).flatMap(hashOf),
    ...licensesOf(locked),
    purl,
  };
}

function nameOf(path: string, { name }: LockedPackage): string {
  return name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Returns a package URL: https://github.com/package-url/purl-spec/blob/main/types-doc/npm-definition.md */
function purlOf(path: string, locked: LockedPackage): string {
  return `pkg:npm/${nameOf(path, locked).replace('@', '%40')}@${locked.version}`;
}

/** Converts `sha512-<base64>` (https://www.w3.org/TR/SRI/). */
function hashOf(integrity: string): { alg: string; content: string }[] {
  const [algorithm = '', digest = ''] = integrity.split('-');
  const alg = hashNames[algorithm];
  return alg === undefined ? [] : [{ alg, content: Buffer.from(digest, 'base64').toString('hex') }];
}

function licensesOf({ license }: LockedPackage) {
  if (license === undefined) return {};
  // Both forms are valid for a single identifier; more tools read `id` than `expression`.
  return { licenses: [/^[\w.-]+$/.test(license) ? { license: { id: license } } : { expression: license }] };
}

/** Finds the packages that Node would load from the package at `path`. */
function findDependencies(lock: Lockfile, path: string, locked: LockedPackage): string[] {
  const wanted = { ...locked.dependencies, ...locked.optionalDependencies, ...locked.peerDependencies };
  return Object.keys(wanted).flatMap((name) => {
    const found = foldersFrom(path)
      .map((folder) => `${folder}node_modules/${name}`)
      .find((place) => lock.packages[place] !== undefined);
    const target = found === undefined ? undefined : lock.packages[found];
    // Leaves out optional peer dependencies that are not installed, or installed only for development.
    return found === undefined || target === undefined || target.dev ? [] : [purlOf(found, target)];
  });
}

/** Returns the folders in which Node looks, nearest first: `['node_modules/a/', '']` for `node_modules/a`. */
function foldersFrom(path: string): string[] {
  if (path === '') return [''];
  return [`${path}/`, ...foldersFrom(path.slice(0, Math.max(path.lastIndexOf('node_modules/') - 1, 0)))];
}

/** Makes a UUID of version 8 (RFC 9562) from a text, so that two runs give the same UUID. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    ...[hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`],
    ...[`${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)],
  ].join('-');
}
