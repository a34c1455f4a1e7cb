import type { AppContext } from '#server/context.ts';

/** What the subcommands of `npm run site` use. */
export type SiteContext = Pick<AppContext, 'environment' | 'database' | 'databaseKind' | 'fileStore'>;

/** The folder beside the JSON file. */
export const filesFolder = 'arquivos';
/** The path that the JSON file gives for a file in that folder. It cannot lead out of the folder. */
export const exportedFile = new RegExp(`^${filesFolder}/([A-Za-z0-9_-][A-Za-z0-9_.-]{0,99})$`);

/** A field of the content that names a file. */
export type FileField = {
  path: readonly [section: 'home', ...string[]];
  /** The folder of its stored files: `site/{folder}/{id}`. */
  folder: 'portrait' | 'profile' | 'audio';
  /** The name of its exported file, without extension. */
  name: string;
};

export const fileFields: readonly FileField[] = [
  { path: ['home', 'hero', 'portrait', 'file'], folder: 'portrait', name: 'retrato' },
  { path: ['home', 'hero', 'portrait', 'dark'], folder: 'portrait', name: 'retrato-escuro' },
  { path: ['home', 'about', 'portrait', 'file'], folder: 'profile', name: 'retrato-de-perfil' },
  { path: ['home', 'about', 'portrait', 'dark'], folder: 'profile', name: 'retrato-de-perfil-escuro' },
  { path: ['home', 'doctor', 'photo', 'file'], folder: 'portrait', name: 'quem-atende' },
  { path: ['home', 'contact', 'photos', 'first', 'file'], folder: 'portrait', name: 'sala-1' },
  { path: ['home', 'contact', 'photos', 'second', 'file'], folder: 'portrait', name: 'sala-2' },
  { path: ['home', 'contact', 'photos', 'third', 'file'], folder: 'portrait', name: 'sala-3' },
  { path: ['home', 'listen', 'audio'], folder: 'audio', name: 'audio' },
];

/** Returns the text at a path inside a JSON value; `undefined` if there is none. */
export function textAt(value: unknown, path: readonly string[]): string | undefined {
  let found = value;
  for (const key of path) found = isRecord(found) ? found[key] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** Replaces the text at a path inside a JSON value, if there is one. */
export function setTextAt(value: unknown, path: readonly string[], text: string): void {
  const parent = path.slice(0, -1).reduce<unknown>((at, key) => (isRecord(at) ? at[key] : undefined), value);
  const key = path.at(-1);
  if (isRecord(parent) && key !== undefined) parent[key] = text;
}

/** The path and the token of a stored file of the site, from its URL. */
export function storedFileOf(url: string): { path: string; token: string } | undefined {
  const [, path, token] = /^\/files\/(site\/[^?]+)\?token=([\w-]+)$/.exec(url) ?? [];
  return path !== undefined && token !== undefined ? { path, token } : undefined;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
