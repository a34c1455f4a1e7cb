import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { texts } from '#clinic/texts.ts';

/** Matches the paths of pictures and sounds. */
const named = /^\/(?:images|audio)\//;
/** The picture that chats show next to a link to the site. No text names it. */
const shareImage = '/images/share.png';

/**
 * Checks that every picture and sound that the clinic's texts name is in the clinic's folder.
 * @throws Error with one sentence that names the first missing file
 */
export function checkClinicFiles(
  candidate: unknown = texts,
  folder = join(import.meta.dirname, '../clinic'),
): void {
  const missing = filesIn(candidate).find(({ file }) => !existsSync(join(folder, file)));
  if (missing) {
    const [name, ...field] = missing.path;
    throw new Error(
      `Confira clinic/${name}.ts, em ${field.join('.')}: o arquivo clinic${missing.file} não existe.`,
    );
  }
  if (!existsSync(join(folder, shareImage)))
    throw new Error(`O arquivo clinic${shareImage} não existe: rode node build/share-image.ts.`);
}

function filesIn(value: unknown, path: string[] = []): { path: string[]; file: string }[] {
  if (typeof value === 'string') return named.test(value) ? [{ path, file: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => filesIn(inner, [...path, key]));
}
